import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineRealApp } from 'touchstone';

type Tiddler = Record<string, string>;

/** TiddlyWiki's own server, on the notebook of a small office. Each tiddler is a file in `tiddlers`. */
export default defineRealApp({
  file: import.meta.url,
  package: 'tiddlywiki',
  command: ({ installed }, port) => ({
    script: path.join(installed, 'node_modules/tiddlywiki/tiddlywiki.js'),
    args: ['.', '--listen', `port=${port}`, 'host=127.0.0.1'],
  }),
  ready: '/status',
  state: ({ data }) => {
    const all = readTiddlers(path.join(data, 'tiddlers'));
    const titled = (is: (title: string, tiddler: Tiddler) => boolean): Record<string, Tiddler> =>
      Object.fromEntries(all.filter(([title, tiddler]) => is(title, tiddler)));
    return {
      tiddlers: titled((title, tiddler) => !title.startsWith('$:/') && !isDraft(tiddler)),
      drafts: titled((_title, tiddler) => isDraft(tiddler)),
      settings: titled((title) => title.startsWith('$:/') && title !== STORY),
      // Which tiddlers stand open in the browser; TiddlyWiki keeps it like everything else.
      open: all.find(([title]) => title === STORY)?.[1]['list'] ?? '',
    };
  },
});

const STORY = '$:/StoryList';
/** What TiddlyWiki notes by itself whenever a tiddler is saved. */
const VOLATILE = new Set(['created', 'modified', 'modifier', 'creator', 'revision', 'bag', 'title']);

/** The type that a tiddler without one has; the editor writes it down. */
const WIKI_TEXT = 'text/vnd.tiddlywiki';

function isDraft(tiddler: Tiddler): boolean {
  return 'draft.of' in tiddler;
}

function readTiddlers(folder: string): [title: string, tiddler: Tiddler][] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tid'))
    .map((name) => parse(readFileSync(path.join(folder, name), 'utf8')))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** A .tid file: a field a line, an empty line, the text. */
function parse(file: string): [title: string, tiddler: Tiddler] {
  const end = /\r?\n\r?\n/.exec(file);
  const head = end === null ? file : file.slice(0, end.index);
  const fields = head.split(/\r?\n/).map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  const text = end === null ? '' : file.slice(end.index + end[0].length);
  const title = fields.find(([name]) => name === 'title')?.[1] ?? '';
  const kept = fields.filter(([name, value]) => !VOLATILE.has(name) && !(name === 'type' && value === WIKI_TEXT));
  return [title, { ...Object.fromEntries(kept), text }];
}

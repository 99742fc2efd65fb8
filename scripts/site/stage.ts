import { copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../../src/process/own-folder.ts';
import { unpackBundle } from '../../src/bundle/unpack.ts';
import { readBundle } from '../../src/cli/bundles.ts';
import { measuredBefore } from '../../src/cli/actions/surface-bench.ts';
import { packedBundle, reportPageOf } from '../draw-bundles.ts';
import { readCauses } from '../web-cells.ts';
import { cellsPage } from './cells-page.ts';
import { refuseGeneratorWords } from './generator-words.ts';
import { homePage } from './home-page.ts';
import { linkedFiles } from './page-links.ts';
import { type MapGroup, type MapItem, readerGroups, titleOf } from './site-map.ts';
import { filesIn, folderPage, isText, readSource, sourceAddress, sourcePage } from './source-page.ts';

/** All that the generator's configuration has to know of the pages that were staged. */
export interface Staged {
  title: string;
  description: string;
  groups: MapGroup[];
  /** Links at the top of every page. */
  nav: MapItem[];
  /** Reports of the committed bundles, each a page of its own. */
  reports: MapItem[];
  /** Addresses of what has no page of its own name: files and folders of the repository. */
  addresses: Record<string, string>;
}

const FIRST_RUN: MapItem = { text: 'Quickstart', file: 'docs/quickstart.md' };
const NAV: MapItem[] = [FIRST_RUN, { text: 'Commands', file: 'docs/cli.md' }];
/** Above all readers in the side bar. */
const FIRST: MapItem[] = [{ text: 'What it is', file: 'README.md' }, FIRST_RUN];
/** The file that has the link. */
export const STAGED = 'site.json';
/** The folder whose files the generator copies as they are. */
const AS_THEY_ARE = 'public';
/** The mark next to the title. */
const MARK = 'mark.svg';
/** Documents in addition to those in `docs`. */
const AT_ROOT = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const PACKAGE = z.object({ description: z.string() });

/** Writes the pages of the site into a folder: each document, what documents link to, the reports, and the first page. */
export async function stagePages(root: string, folder: string): Promise<Staged> {
  rmSync(folder, { recursive: true, force: true });
  const documents = [...AT_ROOT, ...filesIn(root, 'docs').filter((file) => file.endsWith('.md'))];
  const addresses = stageAll({ root, folder, documents });
  const readme = readSource(root, 'README.md');
  const { description } = PACKAGE.parse(JSON.parse(readSource(root, 'package.json')));
  const readers = readerGroups(readme);
  copyAsItIs(path.join(root, 'site', MARK), folder, MARK);
  write(folder, 'index.md', homePage(readme, description, readers.slice(0, -1)));
  const groups = [{ text: 'Overview', items: FIRST }, ...readers.map(withoutFirst)];
  const listed = new Set(groups.flatMap(({ items }) => items.map(({ file }) => file)));
  const more = documents.filter((file) => !listed.has(file));
  if (more.length > 0)
    groups.push({ text: 'More', items: more.map((file) => ({ text: titleOf(readSource(root, file), file), file })) });
  const reports = await stageReports(root, folder);
  const staged = { title: titleOf(readme, 'README'), description, groups, nav: NAV, reports, addresses };
  write(folder, STAGED, JSON.stringify(staged, null, 2));
  return staged;
}

/** A reader's pages, without those for all readers. */
function withoutFirst({ text, items }: MapGroup): MapGroup {
  return { text, items: items.filter(({ file }) => FIRST.every((each) => each.file !== file)) };
}

/** Follows links from the documents, since those lead to pages that link on. */
function stageAll({ root, folder, documents }: { root: string; folder: string; documents: readonly string[] }) {
  const addresses: Record<string, string> = {};
  const waiting = [...documents];
  const seen = new Set(waiting);
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const leadsTo = stageOne(root, folder, file);
    if (leadsTo.address !== null) addresses[file] = leadsTo.address;
    for (const next of leadsTo.files.filter((name) => !seen.has(name))) {
      seen.add(next);
      waiting.push(next);
    }
  }
  return addresses;
}

interface LeadsTo {
  /** Where the site shows the file; null: under its own name. */
  address: string | null;
  files: readonly string[];
}

function stageOne(root: string, folder: string, file: string): LeadsTo {
  const absolute = path.join(root, file);
  if (statSync(absolute).isDirectory()) {
    const files = filesIn(root, file);
    write(folder, `${file}/index.md`, folderPage(file, files));
    return { address: `/${file}/`, files: files.filter(isText) };
  }
  if (file.endsWith('.md')) {
    const text = readSource(root, file);
    const page = withoutComments(text);
    refuseGeneratorWords(file, page);
    write(folder, file, page);
    return { address: null, files: linkedFiles(root, file, text) };
  }
  if (isText(file)) {
    write(folder, `${file}.source.md`, sourcePage(file, readSource(root, file)));
    return { address: sourceAddress(file), files: [] };
  }
  copyAsItIs(absolute, folder, file);
  return { address: null, files: [] };
}

/** A page without its notes for scripts, which GitHub hides too. Blocks of code keep theirs. */
export function withoutComments(page: string): string {
  const parts = page.split(/(^```[^]*?^```$)/m);
  return parts.map((part) => (part.startsWith('```') ? part : part.replaceAll(/^<!--[^]*?-->\n/gm, ''))).join('');
}

function copyAsItIs(from: string, folder: string, file: string): void {
  const copy = path.join(folder, AS_THEY_ARE, file);
  mkdirSync(path.dirname(copy), { recursive: true });
  copyFileSync(from, copy);
}

/** Takes the report out of each committed bundle: it is one page that loads nothing. */
async function stageReports(root: string, folder: string): Promise<MapItem[]> {
  const reports: MapItem[] = [];
  for (const packed of filesIn(root, 'docs/bundles').filter((file) => file.endsWith('.zip'))) {
    const unpacked = makeFolder('bundle');
    try {
      await unpackBundle(path.join(root, packed), unpacked);
      copyAsItIs(path.join(root, packed), folder, packed);
      const file = packed.replace(/\.zip$/, '.html');
      write(path.join(folder, AS_THEY_ARE), file, await reportPageOf(unpacked));
      reports.push({ text: path.basename(packed, '.zip'), file });
    } finally {
      rmSync(unpacked, { recursive: true });
    }
  }
  const { rows } = await readBundle(packedBundle('web'));
  const file = 'docs/bundles/web-cells.html';
  write(path.join(folder, AS_THEY_ARE), file, cellsPage('web.html', rows, measuredBefore(), readCauses()));
  reports.push({ text: 'web, by cell', file });
  return reports;
}

function write(folder: string, file: string, text: string): void {
  const place = path.join(folder, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
}

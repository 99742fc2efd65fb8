import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parseTranscript } from '../../src/agent/transcript.ts';
import { hashJson } from '../../src/contract/canonical.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../suites/webvoyager');
const loaded = await loadSuite(FOLDER);
if (!loaded.ok) throw new Error('suite webvoyager does not load');
const tasks = loaded.suite.tasks.map(({ task }) => task);

const SEED = `
  task-01-example-com-title task-02-mdn-fetch-syntax task-03-wikipedia-eiffel-height
  task-04-rfc-9110-section-9-title task-05-w3c-html-section-definition task-06-arxiv-2401-13919-abstract
  task-07-rust-string-trim-method task-08-mdn-array-map-return task-09-wikipedia-speed-of-light
  task-10-tc39-ecma262-strict-mode
`
  .trim()
  .split(/\s+/);

it("limits the seed's ten tasks to the seed's kinds, and has fifteen more, graded by an answer", () => {
  expect(tasks.filter(({ kinds }) => kinds === 'seed').map(({ id }) => id)).toEqual(SEED);
  expect(tasks.filter(({ kinds }) => kinds === undefined).map(({ success }) => hasAnswer(success))).toEqual(
    Array.from({ length: 15 }, () => true),
  );
});

it('gives no warning: no task depends on a login, a payment or the day', () => {
  expect(loaded.warnings).toEqual([]);
});

it.each(tasks)('$id has at least two near-misses, and guards', ({ nearMisses = [], guards }) => {
  expect(nearMisses.length).toBeGreaterThanOrEqual(2);
  expect(guards).toEqual({ kind: 'no_dialog' });
});

it.each(tasks)('$id does not reveal in its goal what an answer or a text must contain', ({ goal, success }) => {
  const given = wordsOf(success).filter((word) => goal.toLowerCase().includes(word.toLowerCase()));
  // The seed asks of this page no more than that it is the right one: it has to be named.
  expect(given.filter((word) => !['ECMAScript', 'strict mode', 'Strict Mode'].includes(word))).toEqual([]);
});

it('a goal that reveals its answer is noticed', () => {
  expect(wordsOf({ kind: 'and', children: [{ kind: 'answer', one_of: ['Rescorla'] }] })).toEqual(['Rescorla']);
});

it.each(tasks.flatMap(({ id }) => ['aria', 'playwright-mcp'].map((surface) => ({ id, surface }))))(
  '$id has a transcript through $surface whose digests are right',
  ({ id, surface }) => {
    const file = path.join(FOLDER, 'transcripts', `${id}.${surface}.jsonl`);
    const transcript = parseTranscript(readFileSync(file, 'utf8'), file);
    expect(transcript.header).toMatchObject({ task: id, surface, calls: transcript.entries.length });
    expect(transcript.entries.length).toBeGreaterThan(0);
    for (const { args, args_digest_sha256: digest } of transcript.entries) expect(digest).toBe(hashJson(args));
  },
);

it('its archive is the one packed from its pages', async () => {
  const packed = path.join(await temporaryFolder(), 'web.zip');
  const { exit, err } = await touchstone('record', FOLDER, '--facsimile', path.join(FOLDER, 'pages'), '--out', packed);
  expect(err).toBe('');
  expect(exit).toBe(0);
  const committed = readFileSync(path.join(FOLDER, 'web.zip'));
  expect(readFileSync(packed).equals(committed)).toBe(true);
});

it.each(pagesBelow(path.join(FOLDER, 'pages')))(
  '$url declares to people and machines that it is a stand-in',
  (page) => {
    expect(isLabelled(page)).toBe(true);
  },
);

it('a page without the label, or with that of another, is noticed', () => {
  const page = pagesBelow(path.join(FOLDER, 'pages')).find(({ url }) => url === 'https://en.wikipedia.org/wiki/Metre');
  if (page === undefined) throw new Error('the page is gone');
  expect(isLabelled({ ...page, text: page.text.replace('content="facsimile"', '') })).toBe(false);
  expect(isLabelled({ ...page, url: 'https://en.wikipedia.org/wiki/Yard' })).toBe(false);
});

interface FacsimilePage {
  url: string;
  text: string;
}

function isLabelled({ url, text }: FacsimilePage): boolean {
  const seen = `Facsimile: a stand-in for ${url}, written for Touchstone. It is not the real page.`;
  return text.includes('<meta name="touchstone" content="facsimile">') && text.includes(`<p>${seen}</p>`);
}

function pagesBelow(folder: string): FacsimilePage[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  // Browsers request an icon by themselves, and no task needs one.
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'favicon.ico');
  return files.map(({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    const place = path.relative(folder, file).split(path.sep).join('/');
    return { url: `https://${place.replace(/(^|\/)index\.html$/, '$1')}`, text: readFileSync(file, 'utf8') };
  });
}

function hasAnswer(contract: unknown): boolean {
  return JSON.stringify(contract).includes('"kind":"answer"');
}

function wordsOf(contract: object): string[] {
  return Object.entries(contract).flatMap(([field, value]: [string, unknown]) => {
    if (field === 'contains' && typeof value === 'string') return [value];
    if (field === 'one_of' && Array.isArray(value)) return value.map(String);
    return typeof value === 'object' && value !== null ? wordsOf(value) : [];
  });
}

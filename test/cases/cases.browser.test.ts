import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readQualification } from '../../src/plan/qualification.ts';
import { rowsOf } from '../cli/bundle-files.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';

type Ends = Record<string, string>;

/** The status of each task by its surface. */
const CASES: [name: string, expected: Record<string, Ends>][] = [
  ['drag', { drag: { aria: 'passed', dom: 'passed', pixels: 'passed', playwright: 'passed' } }],
  ['canvas', { canvas: { aria: 'not_applicable', pixels: 'passed' } }],
  [
    'upload',
    {
      field: {
        aria: 'passed',
        dom: 'passed',
        pixels: 'not_applicable',
        'playwright-mcp': 'passed',
        'chrome-devtools-mcp': 'passed',
      },
      // Chrome DevTools MCP gives a button one file at most.
      'hidden-field': {
        aria: 'passed',
        dom: 'passed',
        pixels: 'not_applicable',
        'playwright-mcp': 'passed',
        'chrome-devtools-mcp': 'passed',
      },
      'file-chooser': {
        aria: 'passed',
        dom: 'passed',
        pixels: 'not_applicable',
        'playwright-mcp': 'passed',
        'chrome-devtools-mcp': 'failed',
      },
    },
  ],
  [
    'download',
    {
      attachment: { aria: 'passed', dom: 'passed', 'playwright-mcp': 'passed', 'chrome-devtools-mcp': 'passed' },
      'made-by-the-page': {
        aria: 'passed',
        dom: 'passed',
        'playwright-mcp': 'passed',
        'chrome-devtools-mcp': 'passed',
      },
    },
  ],
  [
    'webmcp-form',
    {
      'submits-itself': { webmcp: 'passed' },
      'is-submitted': { webmcp: 'passed' },
      'is-left': { webmcp: 'failed' },
    },
  ],
  ['calendar', { calendar: { aria: 'passed', dom: 'passed', 'playwright-mcp': 'passed', puppeteer: 'passed' } }],
  ['server-sent', { 'server-sent': { aria: 'passed', dom: 'passed' } }],
  ['websocket', { websocket: { aria: 'passed', dom: 'passed' } }],
  [
    'endless-load',
    {
      'endless-load': { aria: 'passed', 'playwright-mcp': 'passed' },
      'endless-load-later': { aria: 'passed', 'playwright-mcp': 'passed' },
    },
  ],
  [
    'uppercase-label',
    { 'uppercase-label': { aria: 'passed', dom: 'passed', 'playwright-mcp': 'passed', puppeteer: 'passed' } },
  ],
  ['url-prefix', { 'url-prefix': { aria: 'passed', dom: 'passed' }, prefix: { aria: 'passed', dom: 'passed' } }],
];

test.each(CASES)('%s has the right verdict through each surface', async (name, expected) => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const surfaces = [...new Set(Object.values(expected).flatMap((ends) => Object.keys(ends)))].join(',');
  const suite = path.join(import.meta.dirname, name);
  await touchstone('run', suite, '--agent', 'reference', '--surface', surfaces, '--out', bundle);
  const ends: Record<string, Ends> = {};
  for (const { task, surface, status } of await rowsOf(bundle)) ends[task] = { ...ends[task], [surface]: status };
  expect(ends).toEqual(expected);
});

test('upload: a command is given paths, by which it uploads these files and no other', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const suite = path.join(import.meta.dirname, 'upload');
  const agent = path.join(import.meta.dirname, '../agent/exec/fixtures/uploads.mjs');
  await touchstone('run', suite, '--task', 'field', '--agent', agent, '--out', bundle);
  expect(await rowsOf(bundle)).toMatchObject([{ status: 'passed', violations: { 'DOM.setFileInputFiles': 1 } }]);
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
});

test('milestones: the row of each way has the share reached, and a broken guard leaves none', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const suite = path.join(import.meta.dirname, 'milestones');
  const { err } = await touchstone('run', suite, '--agent', 'reference,null', '--out', bundle);
  const rows = await rowsOf(bundle);
  const ends = rows.map(({ task, agent, status, milestones }) => [`${task} ${agent}`, [status, milestones?.share]]);
  expect(Object.fromEntries(ends)).toEqual({
    'both reference': ['passed', 1],
    'both null': ['failed', 0],
    'one reference': ['failed', 0.75],
    'one null': ['failed', 0],
    'three reference': ['failed', 0],
    'three null': ['failed', 0],
  });
  expect(err).toContain('1 of 2 milestones, 75 %');
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
});

test.each([
  ['without its clock, the date is that of the machine', '', { status: 'failed' }],
  [
    'with the clock of another day, it is of that day',
    "setup: { clock: '2020-03-04T09:00:00Z' }",
    { status: 'failed' },
  ],
  [
    'with a clock in another zone, it is the same day',
    "setup: { clock: '2019-03-04T11:00:00+02:00' }",
    { status: 'passed' },
  ],
])('calendar %s', async (_, setup, expected) => {
  const folder = await temporaryFolder();
  await cp(path.join(import.meta.dirname, 'calendar'), path.join(folder, 'calendar'), { recursive: true });
  const task = path.join(folder, 'calendar', 'task.yaml');
  await writeFile(task, (await readFile(task, 'utf8')).replace(/^setup: .*$/m, setup));
  const bundle = path.join(folder, 'bundle');
  await touchstone('run', path.join(folder, 'calendar'), '--agent', 'reference', '--out', bundle);
  expect(await rowsOf(bundle)).toMatchObject([expected]);
});

// No surface shows so many rows in time, so an agent that does nothing is judged: it fails, which only a page that was read can show.
test('20,000 rows of large-page are judged, and 60,000 cannot be', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  await touchstone('run', path.join(import.meta.dirname, 'large-page'), '--agent', 'null', '--out', bundle);
  const ends = (await rowsOf(bundle)).map(({ task, status }) => [task, status]);
  expect(Object.fromEntries(ends)).toEqual({ 'rows-20000': 'failed', 'rows-60000': 'invalid_task' });
});

test.each([
  ['drag', 'pixels'],
  ['canvas', 'pixels'],
  ['download', 'aria'],
])('%s qualifies: its near-misses do not pass', async (name, surface) => {
  const suite = await copied(name);
  const ran = await touchstone('qualify', suite, '--surface', surface, '--out', `${suite}-trials`);
  expect(ran).toMatchObject({ exit: 0 });
});

test('a task with an open-ended address does not qualify: the link nearest in name leads to another that passes', async () => {
  const suite = await copied('url-prefix');
  await touchstone('qualify', suite, '-k', '1', '--perturbations', '8', '--out', `${suite}-trials`);
  const proof = await readQualification({ file: path.join(suite, 'suite.yaml') });
  expect(proof?.tasks).toMatchObject({
    'url-prefix': { verdict: 'qualified', perturbed: { false_passes: [] }, breadth: { incorrect_ends: 8 } },
    prefix: {
      verdict: 'unqualified',
      perturbed: { false_passes: ['step 1 on another link, the nearest in name'] },
    },
  });
});

async function copied(name: string): Promise<string> {
  const folder = await temporaryFolder();
  for (const each of [name, 'app']) {
    await cp(path.join(import.meta.dirname, each), path.join(folder, each), { recursive: true });
  }
  return path.join(folder, name);
}

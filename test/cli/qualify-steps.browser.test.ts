import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { Qualification } from '../../src/plan/qualification.ts';
import { folderOf } from '../suite-files.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

beforeEach(async () => {
  vi.stubEnv('TOUCHSTONE_CACHE', await temporaryFolder());
});

/** An app that keeps the colour of a book. @param more what else its state has */
const appWith = (more: string) => `import { defineApp } from 'touchstone';
export default defineApp(() => {
  let colour = 'Blue';
  const options = ['Blue', 'Red', 'Green'].map((each) => '<option>' + each + '</option>').join('');
  const choice = '<label>Colour <select name="colour">' + options + '</select></label>';
  const page = '<!doctype html><h1>Book</h1><form method="post" action="/">' + choice + '<button>Save</button></form>';
  return {
    state: () => ({ colour${more} }),
    async fetch(request) {
      if (request.method === 'POST') colour = new URLSearchParams(await request.text()).get('colour');
      return new Response(page, { headers: { 'content-type': 'text/html' } });
    },
  };
});
`;

const choose = (option: string) => `{ do: choose, label: Colour, option: ${option} }`;
const FEW = ['-k', '1', '--perturbations', '1'];
const SAVE = '{ do: click, role: button, name: Save }';

async function writeSuite({ more = '', solution = 'Red', miss = 'Green', except = '/colour' } = {}) {
  const world = 'world: { kind: local, sites: [{ origin: http://books.localhost, app: app.ts }] }';
  const folder = await folderOf(
    {
      'app.ts': appWith(more),
      'suite.yaml': `id: books\ntitle: Books\ntasks: [tasks/*]\n${world}\n`,
      'tasks/red.yaml': `id: red
title: Red
startUrl: http://books.localhost/
goal: Make the book red.
success: { kind: app_state, pointer: /colour, equals: Red }
guards: { kind: unchanged, except: [${except}] }
solutions:
  - steps: [${choose(solution)}, ${SAVE}]
nearMisses:
  - why: another colour
    steps: [${choose(miss)}, ${SAVE}]
`,
    },
    'books',
  );
  const task = path.join(folder, 'tasks/red.yaml');
  const qualify = async (...args: string[]) =>
    await touchstone('qualify', folder, '--out', path.join(folder, '../trials'), ...FEW, ...args);
  const proof = async () => {
    const text = await readFile(path.join(folder, 'qualification.json'), 'utf8');
    return Qualification.parse(JSON.parse(text)).tasks['red'];
  };
  return { folder, task, qualify, proof };
}

const madeIn = (err: string) => err.split('\n').flatMap((line) => /^ *\d+\/\d+ {2}red {2}(\S+)/.exec(line)?.[1] ?? []);

async function change(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(text).toContain(from);
  await writeFile(file, text.replace(from, to));
}

test('a near-miss that chooses a missing option is not carried out, and its task does not qualify', async () => {
  const { task, qualify, proof } = await writeSuite({ miss: 'Yellow' });
  const { exit, out, err } = await qualify();
  expect(exit).toBe(1);
  expect(await proof()).toMatchObject({ verdict: 'unqualified', near_misses: [{ status: 'agent_error' }] });
  const why = 'step 1 failed: there is no option "Yellow"';
  expect(out).toContain(`the near-miss "another colour" must be carried out and fail, but ended early: ${why}`);
  expect(out.split('another colour')).toHaveLength(2);
  expect(err).toContain(`near-miss-1  agent_error  another colour: ${why}`);

  await change(task, 'Yellow', 'Green');
  const mended = await qualify();
  expect(madeIn(mended.err)).toEqual(['near-miss-1']);
  expect(await proof()).toMatchObject({ near_misses: [{ status: 'failed' }] });
});

test('if the solution never passes, the other trials are left out, and the cause comes with its remedy', async () => {
  const { task, qualify, proof } = await writeSuite({ more: ', now: process.hrtime.bigint().toString()' });
  const { exit, out, err } = await qualify();
  expect(exit).toBe(1);
  expect(madeIn(err).toSorted()).toEqual(['null', 'null-2', 'reference']);
  expect(err).toMatch(/red: the solution never passed: \d+ other trials were not made/);
  expect(out).toContain('red: changes by itself: /now: add it to `except` of the guard');
  expect(out.indexOf('changes by itself')).toBeLessThan(out.indexOf('these clauses do not hold'));
  expect(out).not.toContain('could not be tried');
  expect(await proof()).toMatchObject({ verdict: 'unqualified', reference: { passed: 0, of: 1 }, volatile: ['/now'] });

  const again = await qualify();
  expect([again.exit, madeIn(again.err)]).toEqual([1, []]);
  expect(again.err).toMatch(/red: the solution never passed: \d+ other trials were not made/);

  await change(task, 'except: [/colour]', 'except: [/colour, /now]');
  const mended = await qualify();
  expect(await proof()).toMatchObject({ reference: { passed: 1, of: 1 }, near_misses: [{ status: 'failed' }] });
  const made = madeIn(mended.err);
  expect(made).toEqual(expect.arrayContaining(['parrot', 'near-miss-1', 'perturbed-1']));
  expect(made.filter((id) => /reference|null/.test(id))).toEqual([]);
  // The last line has no time left.
  expect(mended.err).toMatch(new RegExp(`^${made.length}/${made.length} .*$`, 'm'));
});

test('all solutions are tried first, so that a task that cannot qualify is known early', async () => {
  const { folder, task, qualify } = await writeSuite();
  const other = (await readFile(task, 'utf8'))
    .replace('id: red', 'id: violet')
    .replace(choose('Red'), choose('Violet'));
  await writeFile(path.join(folder, 'tasks/violet.yaml'), other);
  const { exit, err } = await qualify();
  const known = err.indexOf('violet: its solution failed a run');
  expect([exit, known > 0]).toEqual([1, true]);
  expect(madeIn(err.slice(0, known)).filter((id) => !/reference|null/.test(id))).toEqual([]);
  expect(madeIn(err.slice(known))).toContain('near-miss-1');
});

test('a run reports the failed step of a solution next to the unmet contract', async () => {
  const { folder } = await writeSuite({ solution: 'Gray' });
  const { out } = await touchstone('run', folder, '--out', path.join(folder, '../bundle'));
  const summary = out.replaceAll(/\s+/g, ' ');
  expect(summary).toContain('red failed: /colour should be "Red", but is "Blue"');
  expect(summary).toContain('Before that, in red, step 1 of the solution failed: there is no option "Gray"');
});

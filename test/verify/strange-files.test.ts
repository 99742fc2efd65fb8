import { execFile } from 'node:child_process';
import { appendFile, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { BundleLayout } from '../../src/bundle/layout.ts';
import { readLedger } from '../../src/bundle/ledger.ts';
import { touchstone } from '../cli/touchstone.ts';
import { committedBundle, copyOf } from '../committed-bundle.ts';
import { findingsOf } from './forge.ts';
import { smallBundle } from './small-bundle.ts';

const WHOLE = await committedBundle('webvoyager');
const small = smallBundle({ source: WHOLE, tasks: ['task-01-example-com-title'] });

async function printed({ root }: BundleLayout): Promise<string> {
  const { exit, out } = await touchstone('verify', root);
  expect(exit).toBe(1);
  return out;
}

async function firstRow(layout: BundleLayout): Promise<string> {
  const { records } = await readLedger(layout.ledger);
  const sealed = records.find((record) => record.kind === 'sealed');
  if (sealed?.kind !== 'sealed') throw new Error('nothing is sealed');
  return layout.attempt(sealed.episode_id, sealed.attempt).row;
}

/** Changes a file without regard to hashes. */
async function edit(file: string, from: RegExp | string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(from);
  await writeFile(file, text.replace(from, to));
}

describe('a row changed by hand', () => {
  const STRANGE = Array.from({ length: 20_000 }, (_, at) => `"k${at}":1`).join(',');
  const TOOL_ERRORS = 'tool_errors is not what was recorded: expected 0, found 7';

  test.each<[string, RegExp, string, (string | RegExp)[]]>([
    ['is named with the field, and both values', /"tool_errors":0/, '"tool_errors":7', [`: ${TOOL_ERRORS}`]],
    [
      'is named with its field though it no longer makes sense',
      /"status":"\w+"/,
      '"status":"won"',
      [/: status is not what was recorded: expected "\w+", found "won"$/],
    ],
    [
      'is named once, however many unknown fields it has',
      /"tool_errors":0/,
      `"tool_errors":7,${STRANGE}`,
      [`: ${TOOL_ERRORS}`, /k0 unknown field/],
    ],
  ])('%s', async (_what, from, to, problems) => {
    const layout = await copyOf(small());
    const row = await firstRow(layout);
    await edit(row, from, to);
    const found = await findingsOf(layout);
    for (const problem of problems) expect(found).toContainEqual(expect.stringMatching(problem));
    expect(found.filter((each) => each.startsWith(path.relative(layout.root, row))).length).toBeGreaterThan(0);
    expect(found.filter((each) => each.includes('is not what was recorded'))).toHaveLength(1);
    expect(found.length).toBeLessThan(10);
  });

  test.each([
    ['named with its field', /"tool_errors":0/, '"tool_errors":7', ': tool_errors expected 0, found 7'],
    ['named without a field if it is the row of another attempt', /"attempt":1/, '"attempt":2', ''],
    ['named without a field if it has the same content in other bytes', /,/, ', ', ''],
  ])('is, in rows.jsonl, %s', async (_what, from, to, field) => {
    const layout = await copyOf(small());
    await edit(layout.rows, from, to);
    expect(await findingsOf(layout)).toEqual([`rows.jsonl:1: differs from the rows${field}`]);
  });
});

test.each([
  ['of a few episodes', small],
  ['as it is committed', () => WHOLE],
])('a bundle %s that ended early does not verify, and missing files are named', async (_which, bundle) => {
  const layout = await copyOf(bundle());
  await edit(layout.ledger, /[^\n]+\n$/, '');
  const out = await printed(layout);
  expect(out).toContain('ledger.jsonl: does not end with ledger_head of seal.json');
  expect(out).toContain('ledger.jsonl: no row counts for');
});

test('a run that was ended early is called unfinished, with its missing parts and how to go on, and not forged', async () => {
  const layout = await copyOf(small());
  await edit(layout.ledger, /[^\n]+\n$/, '');
  for (const late of ['seal.json', 'rows.jsonl', 'report.json', 'report.md', 'report.html']) {
    await rm(path.join(layout.root, late), { force: true });
  }
  const out = await printed(layout);
  expect(out).toMatch(/ledger\.jsonl: no row counts for 1 of \d+ episodes; what is there holds\n/);
  expect(out).toMatch(/not finished: .*run --resume .*\/bundle'?" runs what is missing\n?$/);
  expect(out).not.toContain('does not hold');
});

describe('a stranger’s bundle that holds', () => {
  test.each([
    ['of one episode', small],
    ['as it is committed', () => WHOLE],
  ])('a pipe in the place of a row blocks nothing and is named, in a bundle %s', async (_which, bundle) => {
    const layout = await copyOf(bundle());
    const row = await firstRow(layout);
    await rm(row);
    await promisify(execFile)('mkfifo', [row]);
    expect(await printed(layout)).toContain(`"${path.relative(layout.root, row)}", which is a link or a device`);
  });

  test('a link in the place of rows.jsonl is not followed, and the link is named', async () => {
    const layout = await copyOf(small());
    await rm(layout.rows);
    await symlink('/etc/passwd', layout.rows);
    const out = await printed(layout);
    expect(out).toContain('"rows.jsonl", which is a link or a device');
    expect(out).not.toContain('root:');
  });

  test('a report with an added script is named', async () => {
    const layout = await copyOf(small());
    await touchstone('report', layout.root);
    await appendFile(path.join(layout.root, 'report.html'), '<script>alert(1)</script>');
    expect(await printed(layout)).toMatch(/^report\.html.* differs from the rows/m);
  });

  test('a file next to the records is named, with a name that steers no terminal', async () => {
    const layout = await copyOf(small());
    await writeFile(path.join(layout.root, 'x\u001b[2J\nholds'), 'x');
    const out = await printed(layout);
    expect(out).toContain('x␛[2J␊holds: ');
    expect(out).not.toContain('\u001b');
  });

  test.each([
    ['an event', 'events.jsonl', '"surface":"'],
    ['a row', 'row.json', '"bench_version":"'],
    ['the rows', 'rows.jsonl', '"bench_version":"'],
    ['the plan', 'campaign.json', '"title": "'],
    ['a pin', 'campaign.json', '"cpu": "'],
    ['the name of a pin', 'campaign.json', '"qualifications": {'],
    ['the ledger', 'ledger.jsonl', '"run_id":"'],
    ['the seal', 'seal.json', '"campaign_hash":"'],
    ['the report', 'report.json', '"bench_version": "'],
  ])('half a surrogate pair in %s is named, and ends nothing', async (_what, name, before) => {
    const layout = await copyOf(small());
    const folder = path.dirname(await firstRow(layout));
    const file = path.join(['events.jsonl', 'row.json'].includes(name) ? folder : layout.root, name);
    const half = before.endsWith('{') ? String.raw`"\ud83d": null, ` : String.raw`\ud83d`;
    await edit(file, before, `${before}${half}`);
    expect(await printed(layout)).toContain(name);
  });

  test.each(['report', 'compare', 'publish', 'sign', 'rejudge', 'show', 'run --resume'])(
    'half a surrogate pair in a proof ends %s with the fault and its place',
    async (command) => {
      const layout = await copyOf(small());
      const [before = '', proofs = ''] = (await readFile(layout.campaign, 'utf8')).split('"qualifications": ');
      const broken = proofs.replace('"why": "', String.raw`"why": "\ud83d`);
      await writeFile(layout.campaign, `${before}"qualifications": ${broken}`);
      const { exit, err } = await touchstone(...command.split(' '), layout.root);
      expect(err).toMatch(/campaign\.json.* half of a surrogate pair in pins\.qualifications\."webvoyager\/[^ ]+\.why/);
      expect(exit).toBe(2);
    },
  );

  test('invalid UTF-8 is named, since two files could be read the same', async () => {
    const layout = await copyOf(small());
    const bytes = await readFile(layout.rows);
    bytes[bytes.indexOf('live') + 1] = 0xff;
    await writeFile(layout.rows, bytes);
    expect(await printed(layout)).toContain('rows.jsonl:1 is not UTF-8');
  });
});

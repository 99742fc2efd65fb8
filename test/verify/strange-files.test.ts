import { execFile } from 'node:child_process';
import { appendFile, cp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { bundleLayout, type BundleLayout } from '../../src/bundle/layout.ts';
import { readLedger } from '../../src/bundle/ledger.ts';
import { touchstone } from '../cli/touchstone.ts';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { smallBundle } from './small-bundle.ts';

const WHOLE = await committedBundle('webvoyager');
const small = smallBundle({ source: WHOLE, tasks: ['task-01-example-com-title'] });

async function copied(bundle = small()): Promise<BundleLayout> {
  const layout = bundleLayout(path.join(await temporaryFolder(), 'bundle'));
  await cp(bundle, layout.root, { recursive: true });
  return layout;
}

/** What `verify` says of a bundle that does not hold. */
async function said({ root }: BundleLayout): Promise<string> {
  const { exit, out } = await touchstone('verify', root);
  expect(exit).toBe(1);
  return out;
}

/** The first row that the ledger seals. */
async function firstRow(layout: BundleLayout): Promise<string> {
  const { records } = await readLedger(layout.ledger);
  const sealed = records.find((record) => record.kind === 'sealed');
  if (sealed?.kind !== 'sealed') throw new Error('nothing is sealed');
  return layout.attempt(sealed.episode_id, sealed.attempt).row;
}

describe('a bundle from a stranger that holds', () => {
  test.each([
    ['of one episode', small],
    ['as it is committed', () => WHOLE],
  ])(
    'a pipe in the place of a row keeps nobody waiting, and the pipe is named, in a bundle %s',
    async (_which, bundle) => {
      const layout = await copied(bundle());
      const row = await firstRow(layout);
      await rm(row);
      await promisify(execFile)('mkfifo', [row]);
      expect(await said(layout)).toContain(`"${path.relative(layout.root, row)}", which is a link or a device`);
    },
  );

  test('a link in the place of rows.jsonl is not followed, and the link is named', async () => {
    const layout = await copied();
    await rm(layout.rows);
    await symlink('/etc/passwd', layout.rows);
    const out = await said(layout);
    expect(out).toContain('"rows.jsonl", which is a link or a device');
    expect(out).not.toContain('root:');
  });

  test('a report into which a script was written is named', async () => {
    const layout = await copied();
    await touchstone('report', layout.root);
    await appendFile(path.join(layout.root, 'report.html'), '<script>alert(1)</script>');
    expect(await said(layout)).toMatch(/^report\.html.*: is not what the rows add up to/m);
  });

  test('a file beside the records is named, with a name that steers no terminal', async () => {
    const layout = await copied();
    await writeFile(path.join(layout.root, 'x\u001b[2J\nholds'), 'x');
    const out = await said(layout);
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
  ])('half of a character in %s is named, and ends nothing', async (_what, name, before) => {
    const layout = await copied();
    const folder = path.dirname(await firstRow(layout));
    const file = path.join(['events.jsonl', 'row.json'].includes(name) ? folder : layout.root, name);
    const text = await readFile(file, 'utf8');
    expect(text).toContain(before);
    const half = before.endsWith('{') ? String.raw`"\ud83d": null, ` : String.raw`\ud83d`;
    await writeFile(file, text.replace(before, `${before}${half}`));
    expect(await said(layout)).toContain(name);
  });

  test.each(['report', 'compare', 'publish', 'sign', 'rejudge', 'show', 'run --resume'])(
    'half of a character in a proof ends %s with what is wrong, and where',
    async (command) => {
      const layout = await copied();
      const [before = '', proofs = ''] = (await readFile(layout.campaign, 'utf8')).split('"qualifications": ');
      const broken = proofs.replace('"why": "', String.raw`"why": "\ud83d`);
      await writeFile(layout.campaign, `${before}"qualifications": ${broken}`);
      const { exit, err } = await touchstone(...command.split(' '), layout.root);
      expect(err).toMatch(/campaign\.json.* half of a character in pins\.qualifications\."webvoyager\/[^ ]+\.why/);
      expect(exit).toBe(2);
    },
  );

  test('bytes that are no UTF-8 are named, as two files could be read alike', async () => {
    const layout = await copied();
    const bytes = await readFile(layout.rows);
    bytes[bytes.indexOf('live') + 1] = 0xff;
    await writeFile(layout.rows, bytes);
    expect(await said(layout)).toContain('rows.jsonl:1 is not UTF-8');
  });
});

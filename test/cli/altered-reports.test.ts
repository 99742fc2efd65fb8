import { generateKeyPairSync } from 'node:crypto';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { gatesOf } from '../../src/cli/gates.ts';
import { writeReports } from '../../src/cli/written-reports.ts';
import { readCampaignFile } from '../../src/plan/campaign-file.ts';
import { committedBundle, copyOf } from '../committed-bundle.ts';
import { touchstone } from './touchstone.ts';

/** Every report, and every command that reads reports: these ask the same question before they begin. */
const ALTERED = [
  ...['report.json', 'report.md', 'report.html', 'rows.jsonl'].map((name) => [name, 'sign'] as const),
  ...['compare', 'publish'].map((command) => ['rows.jsonl', command] as const),
];

/** A bundle with all of its reports, for each test to copy. */
let reported = '';
beforeAll(async () => {
  reported = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
  await cp(await committedBundle('account'), reported, { recursive: true });
  await touchstone('report', reported);
  return async () => rm(reported, { recursive: true });
});
const PEM = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });

async function copied(): Promise<{ bundle: string; rest: (command: string) => string[] }> {
  const { root: bundle } = await copyOf(reported);
  const key = path.join(bundle, '../key.pem');
  await writeFile(key, PEM);
  const more: Record<string, string[]> = { sign: ['--key', key], publish: ['--to', path.join(bundle, '../out')] };
  return { bundle, rest: (command) => [bundle, ...(more[command] ?? [])] };
}

test.each(ALTERED)('a bundle whose %s was altered is refused by %s', async (name, command) => {
  const { bundle, rest } = await copied();
  await appendFile(path.join(bundle, name), '\n');
  const { exit, err } = await touchstone(command, ...rest(command));
  expect(err).toContain(`${bundle} does not verify: ${name}`);
  expect(exit).toBe(2);
  expect(await readdir(bundle)).not.toContain('signature.json');
});

test('a run whose rows.jsonl contradicts its records meets no gate, and reports why', async () => {
  const { bundle } = await copied();
  const { rows: file } = bundleLayout(bundle);
  const campaign = await readCampaignFile(bundleLayout(bundle));
  const notes: string[] = [];
  const terminal = { out: () => {}, note: (line: string) => void notes.push(line) };
  const asWritten = await writeReports(bundle, campaign, { listsAll: true }, terminal);
  expect(gatesOf(asWritten).words).not.toContain('does not verify');
  expect(notes).toEqual([]);

  await writeFile(file, (await readFile(file, 'utf8')).replace(/"steps":\d+/, '"steps":77'));
  const report = await writeReports(bundle, campaign, { listsAll: true }, terminal);
  expect(gatesOf(report)).toMatchObject({ exit: 1, words: expect.stringContaining('the bundle does not verify') });
  expect(notes).toEqual([expect.stringMatching(/does not verify: rows\.jsonl:1: .*steps expected \d+, found 77/)]);
  // Its reports say what the records come to, and are not blamed for it.
  const { out } = await touchstone('verify', bundle);
  expect(out).toMatch(/^rows\.jsonl:1: .*\ndoes not hold: 1 record is wrong\n$/);
});

test('a bundle with redrawn reports is accepted, and so is an unchanged one', async () => {
  const { bundle, rest } = await copied();
  await appendFile(path.join(bundle, 'report.md'), '\n');
  expect(await touchstone('report', bundle)).toMatchObject({ exit: 0 });
  for (const command of ['compare', 'publish', 'sign']) {
    expect(await touchstone(command, ...rest(command))).toMatchObject({ exit: 0 });
  }
});

test.each(['report.md', 'report.html'])('a %s of another version is listed as not compared', async (name) => {
  const { bundle } = await copied();
  const page = path.join(bundle, name);
  await writeFile(page, (await readFile(page, 'utf8')).replace(/(?<=Touchstone [\d.]+\+)\w+ -->/, '000000000000 -->'));
  const { exit, out } = await touchstone('verify', bundle);
  expect([exit, out]).toEqual([0, expect.stringContaining(`not compared ${name}:`)]);
  expect(JSON.parse((await touchstone('verify', bundle, '--json')).out)).toMatchObject({ not_compared: [name] });
});

test('pages drawn by this version are compared, and missing ones are no difference', async () => {
  const { bundle } = await copied();
  expect((await touchstone('verify', bundle)).out).not.toContain('not compared');
  for (const name of ['report.md', 'report.html']) await rm(path.join(bundle, name));
  expect(await touchstone('verify', bundle)).toMatchObject({
    exit: 0,
    out: expect.not.stringContaining('not compared'),
  });
});

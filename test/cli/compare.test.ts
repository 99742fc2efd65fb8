import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { committedBundle, copyOf } from '../committed-bundle.ts';
import { touchstone } from './touchstone.ts';

const TOOL_SERVERS = await committedBundle('tool-servers');
const WEBVOYAGER = await committedBundle('webvoyager');

test('a bundle compared with itself has not changed, and meets the gate', async () => {
  const { exit, out } = await touchstone('compare', WEBVOYAGER, WEBVOYAGER, '--gate');
  expect(exit).toBe(0);
  expect(out).toContain('| transcript through playwright-mcp | 4 of 4 | 4 of 4 | 0.0 |');
  expect(out).toContain('No task passes more or less often than before.');
});

test('a campaign that was ended early does not meet the gate, though its episodes are unchanged', async () => {
  const { root: bundle } = await copyOf(WEBVOYAGER);
  for (const name of ['seal.json', 'rows.jsonl', 'report.json']) {
    await rm(path.join(bundle, name));
  }
  const ledger = path.join(bundle, 'ledger.jsonl');
  const lines = (await readFile(ledger, 'utf8')).trimEnd().split('\n');
  await writeFile(ledger, `${lines.slice(0, -1).join('\n')}\n`);
  const { exit, err } = await touchstone('compare', WEBVOYAGER, bundle, '--gate');
  expect(err).toContain(`not finished: ${bundle} has 11 of 12 episodes`);
  expect(exit).toBe(1);
  const turned = await touchstone('compare', bundle, WEBVOYAGER, '--gate');
  expect(turned).toMatchObject({ exit: 0, out: expect.stringContaining('has 11 of 12 episodes') });
});

test('missing tasks are named, and alone fail the gate', async () => {
  const gated = await touchstone('compare', TOOL_SERVERS, WEBVOYAGER, '--gate', '--json');
  expect(gated.exit).toBe(1);
  const { missing, problems }: { missing: object[]; problems: string[] } = JSON.parse(gated.out);
  expect(missing).toHaveLength(24);
  expect(problems).toContain('missing: basics/iframe-vote by reference through stagehand: the entrant is not there');
  expect(gated.err).toContain('missing: basics/iframe-vote by');
  const { exit, out, err } = await touchstone('compare', TOOL_SERVERS, WEBVOYAGER);
  expect(exit).toBe(0);
  expect(out).toContain('- basics/iframe-vote by reference through stagehand: the entrant is not there');
  expect(`${out}${err}`).not.toMatch(/Gate|missing: |\/default/);
  expect(out).toContain('\nNo task ran in both.\n');
});

test('--gate of one bundle is refused, since there is nothing to compare it with', async () => {
  expect(await touchstone('compare', WEBVOYAGER, '--gate')).toMatchObject({
    exit: 2,
    err: expect.stringContaining('--gate compares two bundles'),
  });
});

test('the entrants of one bundle are compared with each other, and only claims that the policy allows are made', async () => {
  const { exit, out } = await touchstone('compare', TOOL_SERVERS);
  expect(exit).toBe(0);
  expect(out).toContain('| reference through aria | reference through stagehand | 4 | 4 of 4 | 3 of 4 | +25.0 |');
  expect(out).toContain(
    '| `basics/iframe-vote` | reference through aria | 1 of 1 | reference through stagehand | 0 of 1 |',
  );
  expect(out).toContain('No claim of who does better');
  expect(out).toContain('`too_few_repetitions`');
});

test('controls are left out of the pairs, and a note reports it', async () => {
  const { out } = await touchstone('compare', WEBVOYAGER);
  expect(out).toContain('do not compete; `--json`');
  const { pairs }: { pairs: { first: { agent: string }; second: { agent: string } }[] } = JSON.parse(
    (await touchstone('compare', WEBVOYAGER, '--json')).out,
  );
  expect(pairs.flatMap(({ first, second }) => [first.agent, second.agent])).not.toContain('null');
});

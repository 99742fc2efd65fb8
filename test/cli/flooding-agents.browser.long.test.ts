import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import type { Row } from '../../src/bundle/row.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { ledgerOf, rowsOf } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';

/** Ways of that agent, one for each thing of ours that an entrant can reach. */
const WAYS = [
  'small messages',
  'large replies',
  'sessions',
  'uploads of 90 MB',
  'bindings',
  'dialogs',
  'frames',
  'windows that close',
  'console messages',
  'lines of output',
];

type Times = Pick<Row, 'started_at' | 'ended_at'>;

function overlap(one: Times, other: Times): boolean {
  return (one.started_at ?? '') < (other.ended_at ?? '') && (other.started_at ?? '') < (one.ended_at ?? '');
}

/** In ms. */
async function slowestCommand(bundle: string, { episode_id: id, attempt }: Row): Promise<number> {
  const text = await readFile(bundleLayout(bundle).attempt(id, attempt).events, 'utf8');
  const times = [...text.matchAll(/"tool_ms":([\d.]+)/g)].map(([, ms]) => Number(ms));
  expect(times).not.toEqual([]);
  return Math.max(...times);
}

test.each(WAYS)('an agent that floods by %s fails no episode of a rival in the other worker', async (way) => {
  const folder = await temporaryFolder();
  const [agent, bundle] = [path.join(folder, 'flood.yaml'), path.join(folder, 'bundle')];
  // It sees neither the clone nor its packages.
  await cp('test/cli/fixtures/flooding-agent.mjs', path.join(folder, 'flooding-agent.mjs'));
  await cp('node_modules/ws', path.join(folder, 'node_modules/ws'), { recursive: true });
  await writeFile(agent, JSON.stringify({ id: 'flood', command: 'node', args: ['flooding-agent.mjs', way] }));
  const entrants = ['--agent', `reference,${agent}`, '-n', '2', '--workers', '2'];
  await touchstone('run', 'basics', '--task', 'dialog-delete', ...entrants, '--out', bundle);
  const rows = await rowsOf(bundle);
  const of = (id: string) => rows.filter(({ agent: by }) => by === id);
  expect(of('reference').map(({ status, attempt }) => `${status} ${attempt}`)).toEqual(['passed 1', 'passed 1']);
  for (const { status, attempt, cdp_commands: commands } of of('flood')) {
    expect(['failed', 'inconclusive', 'agent_error', 'timeout', 'max_steps']).toContain(status);
    expect([attempt, commands]).toEqual([1, expect.toSatisfy((count: number) => count > 0)]);
  }
  expect((await ledgerOf(bundle)).filter(({ kind }) => kind === 'voided')).toEqual([]);
  const overlaps = of('reference').filter((row) => of('flood').some((flood) => overlap(row, flood)));
  expect(overlaps).not.toEqual([]);
  const slowest = await Promise.all(overlaps.map((row) => slowestCommand(bundle, row)));
  console.info(`${way}: next to it, the rival's slowest command took ${Math.max(...slowest).toFixed(0)} ms`);
});

import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { TOOL_SERVERS } from './forge.ts';
import { smallBundle } from './small-bundle.ts';

const small = smallBundle({ source: TOOL_SERVERS, tasks: ['dialog-delete'], surfaces: ['playwright'] });

/** A copy of a bundle whose ledger was cut before its last record. */
async function cutShort(bundle: string): Promise<string> {
  const root = path.join(await temporaryFolder(), 'a bundle');
  await cp(bundle, root, { recursive: true });
  const ledger = path.join(root, 'ledger.jsonl');
  const lines = (await readFile(ledger, 'utf8')).trimEnd().split('\n');
  await writeFile(ledger, `${lines.slice(0, -1).join('\n')}\n`);
  return root;
}

test.each([
  ['of a few episodes', small],
  ['as it is committed', () => TOOL_SERVERS],
])('a bundle %s that was ended early does not hold, and what it lacks is named', async (_which, bundle) => {
  const root = await cutShort(bundle());
  const { exit, out } = await touchstone('verify', root);
  expect(exit).toBe(1);
  expect(out).toContain('ledger.jsonl: does not end with ledger_head of seal.json');
  expect(out).toContain('ledger.jsonl: no row counts for');
});

test('a run that was ended early is called unfinished, with what is missing and how to go on, and not forged', async () => {
  const root = await cutShort(small());
  for (const late of ['seal.json', 'rows.jsonl', 'report.json', 'report.md', 'report.html']) {
    await rm(path.join(root, late), { force: true });
  }
  const { exit, out } = await touchstone('verify', root);
  expect(exit).toBe(1);
  expect(out).toMatch(/ledger\.jsonl: no row counts for 1 of \d+ episodes; what is there holds\n/);
  expect(out).toMatch(/not finished: .*run --resume '.*\/a bundle'" runs what is missing\n?$/);
  expect(out).not.toContain('does not hold');
});

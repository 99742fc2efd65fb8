import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { openLedger } from '../../src/bundle/ledger.ts';
import { Progress, writeRows } from '../../src/run/progress.ts';
import { bundleOfRows, rowOf } from '../bundle/bundle-of-rows.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { plannedEpisode } from '../plan/sample-plan.ts';

test('rows.jsonl has the counted rows of what is done, one a line, in plan order', async () => {
  const episodes = [plannedEpisode(0), plannedEpisode(1), plannedEpisode(2)];
  const layout = await bundleOfRows(await temporaryFolder(), [rowOf(2), rowOf(0, 1, false), rowOf(0, 2)]);
  const ledger = await openLedger(layout.ledger);
  await ledger.close();
  const earlier: Row[] = [];
  const progress = await Progress.read(ledger, layout, episodes, (row) => earlier.push(row));
  expect(earlier).toEqual([rowOf(2), rowOf(0, 2)]);
  await writeRows(layout, progress.rowsInOrder(layout, episodes));
  const lines = (await readFile(layout.rows, 'utf8')).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => JSON.parse(line))).toEqual([rowOf(0, 2), rowOf(2)]);
});

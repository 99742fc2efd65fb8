import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { contractPlaces } from '../../src/cli/failure-causes.ts';
import { loadTaskFile } from '../../src/task/load-task.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { drawnReport } from '../report/drawn-report.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const TASK = `id: sign
title: Sign
startUrl: http://book.localhost/
goal: Sign the guestbook.
maxSteps: 10
maxDurationMs: 60000
category: form_fill
success:
  kind: and
  children:
    - { kind: no_dialog }
    - kind: dom_count
      selector: '#entires li'
      op: eq
      value: 3
solutions:
  - steps:
      - { do: answer, value: x }
`;

const MISSED: Partial<Row> = {
  task: 'sign',
  agent: 'reference',
  decider: 'reference',
  mode: 'scripted',
  endpoint_kind: 'none',
  failed_contract: {
    path: 'success.children.1',
    kind: 'dom_count',
    expected: 'exactly 3 × #entires li',
    observed: '0',
  },
};

async function placed(row: Partial<Row>) {
  const file = path.join(await temporaryFolder(), 'sign.yaml');
  await writeFile(file, TASK);
  const loaded = await loadTaskFile(file);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const finished = finishRow({ ...SAMPLE, ...row, plan_index: 0 });
  const report = drawnReport(1, [finished], [{ agent: finished.agent, surface: finished.surface }]);
  const suite = { id: SAMPLE.suite, kinds: 'all' as const, tasks: loaded.tasks };
  return { file, places: await contractPlaces(report, [suite]) };
}

test('the clause that a solution does not meet is located in its file', async () => {
  const { file, places } = await placed(MISSED);
  expect([...places.values()]).toEqual([`${path.relative('.', file)}:12 success.children[1]`]);
});

test('a clause that an agent does not meet is not located', async () => {
  const { places } = await placed({ ...MISSED, agent: 'mine', decider: 'process', mode: 'live' });
  expect(places.size).toBe(0);
});

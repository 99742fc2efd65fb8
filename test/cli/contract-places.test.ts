import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/finish-row.ts';
import type { RowDraft } from '../../src/bundle/row.ts';
import { contractPlaces } from '../../src/cli/contract-places.ts';
import { firstScreen } from '../../src/cli/first-screen.ts';
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

const MISSED: Partial<RowDraft> = {
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

/** The report of one failure, and where its clause stands. */
async function placed(row: Partial<RowDraft>) {
  const file = path.join(await temporaryFolder(), 'sign.yaml');
  await writeFile(file, TASK);
  const loaded = await loadTaskFile(file);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const finished = finishRow({ ...SAMPLE, ...row, plan_index: 0 });
  const report = drawnReport(1, [finished], [{ agent: finished.agent, surface: finished.surface }]);
  const suite = { id: SAMPLE.suite, kinds: 'all' as const, tasks: loaded.tasks };
  return { report, file, places: await contractPlaces(report, [suite]) };
}

test('of a solution that does not meet its contract is said where in which file the clause stands', async () => {
  const { report, file, places } = await placed(MISSED);
  expect([...places.values()]).toEqual([`${path.relative('.', file)}:12 success.children[1]`]);
  const lines = firstScreen(report, 80, { places }).join(' ').replaceAll(/\s+/g, ' ');
  expect(lines).toContain("1 × the task's own solution did not meet its contract");
  expect(lines).toContain('success.children[1], or the solution');
});

test('a step of it that failed is said before that: it is the likely cause', async () => {
  const { report } = await placed(MISSED);
  const [line] = report.episodes;
  const step = 'step 1 of the solution failed: there is no option "Gray"';
  const failedSteps = new Map(line === undefined ? [] : [[line.episode_id, step]]);
  const lines = firstScreen(report, 80, { failedSteps }).join(' ').replaceAll(/\s+/g, ' ');
  expect(lines).toContain(`before that, ${step}`);
  expect(firstScreen(report, 80).join(' ')).not.toContain('before that');
});

test('of an agent it is not: what it failed is its own affair', async () => {
  const { places } = await placed({ ...MISSED, agent: 'mine', decider: 'process', mode: 'live' });
  expect(places.size).toBe(0);
});

import { expect, test } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { markdownSections } from '../../src/report/markdown.ts';
import { pairsIn, pairsSections } from '../../src/report/pairs-report.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';
import { drawnReport } from './drawn-report.ts';

const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null } as const;

const REFERENCE = { decider: 'reference', mode: 'scripted' } as const;
const CONTROL = { decider: 'control', mode: 'control' } as const;
const MODEL = { decider: 'model', mode: 'live' } as const;

type Runner = [agent: string, facts: Pick<Row, 'decider' | 'mode'>, passes: boolean];

/** The pairs of entrants through `aria` on two tasks, of which each passes all or none. */
function pairsOf(...runners: readonly Runner[]): string {
  const drafts = runners.flatMap(([agent, facts, passes]) =>
    ['a', 'b'].map((task) => ({ ...SAMPLE, ...ofTask(task), agent, ...facts, ...(passes ? PASSED : {}) })),
  );
  const rows = drafts.map((draft, index) =>
    finishRow({ ...draft, plan_index: index, executed_index: index, run_id: `run-${index}` }),
  );
  const entrants = runners.map(([agent]) => ({ agent, surface: SAMPLE.surface }));
  const report = drawnReport(rows.length, rows, entrants);
  return markdownSections(pairsSections(report, pairsIn(report)));
}

test('no task is listed in which a control, which passes nothing, passes less', () => {
  const text = pairsOf(['reference', REFERENCE, true], ['null', CONTROL, false]);
  expect(text).toContain('| reference through aria | null through aria | 2 |');
  expect(text).not.toContain('Tasks that one passes more often');
});

test('every task is listed that one of two competitors passes more often', () => {
  const text = pairsOf(['reference', REFERENCE, true], ['model', MODEL, false]);
  expect(text).toContain('Tasks that one passes more often');
  expect(text).toContain('| `basics/a` | reference through aria | 1 of 1 | model through aria | 0 of 1 |');
});

import { describe, expect, it } from 'vitest';
import { finishRow } from '../../src/bundle/finish-row.ts';
import type { RowDraft } from '../../src/bundle/row.ts';
import { reportPage } from '../../src/report/html/page.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import type { Report } from '../../src/report/report.ts';
import { spreadColumns } from '../../src/report/spread-lines.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';
import { drawnReport } from './drawn-report.ts';

const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null } as const;

/** Of episodes of several tasks, in plan order. */
function reportOf(...edits: Partial<RowDraft>[]): Report {
  const rows = edits.map((edit, at) => finishRow({ ...SAMPLE, plan_index: at, ...edit }));
  return drawnReport(rows.length, rows, [{ agent: SAMPLE.agent, surface: SAMPLE.surface }]);
}

const TIMES = [1_000, 2_000, 3_000, 4_000].map((wall, at) => ({ ...ofTask(`task-${at}`), wall_ms: wall }));

describe.each<[string, (report: Report) => string]>([
  ['HTML', reportPage],
  ['Markdown', markdownReport],
])('what episodes took, as %s', (_, textOf) => {
  it('has medians and p95 with their intervals', () => {
    const text = textOf(reportOf(...TIMES));
    for (const part of ['time, median', 'time, p95', 'tokens, median', 'cost, p95', '2.50 s', '3.85 s', '5,300']) {
      expect(text).toContain(part);
    }
    expect(text).toMatch(/2\.50 s [<(].*1\.\d\d s to [34]\.\d\d s/);
  });

  it('has a dash and the reason where one episode was not measured, and no figure of the others', () => {
    const unknown = { wall_ms: null, null_reasons: { wall_ms: 'the clock stood still' } };
    const text = textOf(reportOf(...TIMES.slice(1), unknown));
    expect(text).toContain('1 of 4: the clock stood still');
    expect(text).not.toContain('3.00 s to');
    expect(textOf(reportOf(...TIMES))).not.toContain('the clock stood still');
  });

  it('has pass@k beside pass^k, and of one repetition pass@1 alone', () => {
    const twice = reportOf({ iteration: 0, ...PASSED }, { iteration: 1 });
    for (const head of ['pass@1', 'pass@2', 'pass^2']) expect(textOf(twice)).toContain(head);
    expect(textOf(twice)).not.toContain('pass^1');
    expect(textOf(twice)).toMatch(/50\.0 %.*100\.0 %.*0\.0 %/);
    expect(textOf(reportOf({}))).not.toContain('pass@2');
  });
});

it('no interval is given of one task, which says nothing of others', () => {
  const report = reportOf({ iteration: 0 }, { iteration: 1 });
  const [median] = spreadColumns(report);
  expect(median?.head).toBe('time, median');
  expect(report.claims.entrants.map((entrant) => median?.spreadOf(entrant))).toEqual([
    { value: '9.00 s', interval: null, why: null },
  ]);
});

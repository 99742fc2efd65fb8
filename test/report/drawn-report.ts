import type { Row } from '../../src/bundle/row.ts';
import { drawClaims } from '../../src/claim/claims.ts';
import type { Entrant } from '../../src/claim/figures.ts';
import { CountedRows } from '../../src/report/counted-rows.ts';
import { completionOf } from '../claim/eligible-facts.ts';
import type { ReportedGoal } from '../../src/report/goals.ts';
import { buildReport, type Report } from '../../src/report/report.ts';

export function drawnReport(
  planned: number,
  rows: readonly Row[],
  entrants: readonly Entrant[] = [],
  goals: ReportedGoal[] = [],
): Report {
  const pins = { bench_commit: null, bench_dirty: null, models: {} };
  const plan = { entrants, episodes_each: planned };
  const claims = drawClaims(
    completionOf({ rows, voided: [], oneSided: [], reaching: [], tasks: new Map(), plan, pins, verified: null }),
    1,
  );
  const facts = {
    campaign_id: 'c',
    created_at: '2026-01-01T12:00:00.000Z',
    suites: [...new Set(rows.map(({ suite }) => suite))],
    seed: 1,
    goals,
    agents: rows.map(({ agent, decider }) => ({ agent, decider })),
    planned,
    plannedEntrants: entrants,
  };
  return buildReport(facts, CountedRows.of(rows), claims);
}

import { expect, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { drawClaims } from '../../src/claim/claims.ts';
import type { ClaimFacts } from '../../src/claim/claim-facts.ts';
import { competitiveSentence } from '../../src/report/report.ts';
import { completionOf, eligibleFacts, withRows } from './eligible-facts.ts';

/** Enough repetitions that a few may be left out. */
const FACTS = eligibleFacts({ repetitions: 11, won: 20 });

function lacking(misses: number, agent: string, tasks: number, facts: ClaimFacts = FACTS): ClaimFacts {
  const astray = new Set(Array.from({ length: tasks }, (_, at) => `task-${at}`));
  const is = (row: ClaimFacts['rows'][number]): boolean =>
    row.agent === agent && row.iteration === 0 && astray.has(row.task);
  const edit: Partial<Row> = { off_archive: misses };
  const edited = withRows({ ...facts, rows: facts.rows.filter(is) }, edit).rows;
  return { ...facts, rows: [...facts.rows.filter((row) => !is(row)), ...edited] };
}

function drawn(facts: ClaimFacts) {
  const { claims, eligible } = drawClaims(completionOf(facts), 7);
  const [comparison] = claims.comparisons;
  return {
    comparison,
    reasons: comparison?.decision.reasons.map(({ code }) => code),
    sentence: eligible.map(competitiveSentence).join(''),
  };
}

test('episodes in which an archive lacked more for one entrant are left out, as the sentence reports', () => {
  const { comparison, reasons, sentence } = drawn(lacking(2, 'second', 5));
  expect(comparison).toMatchObject({ other_web: 5, templates: 20, better: 'first' });
  expect(reasons).toEqual([]);
  expect(sentence).toContain(' without 5 pairs of episodes in which they did not meet the same web');
});

test('a failure on another web does not count, nor does the pass of the other entrant', () => {
  const only = eligibleFacts({ repetitions: 21 });
  const passed: Partial<Row> = { status: 'passed', goal_verdict: 'pass', failed_contract: null };
  const first = (row: ClaimFacts['rows'][number]): boolean =>
    row.agent === 'first' && row.iteration === 0 && row.task === 'task-0';
  const won = {
    ...only,
    rows: [
      ...only.rows.filter((row) => !first(row)),
      ...withRows({ ...only, rows: only.rows.filter(first) }, passed).rows,
    ],
  };
  expect(drawn(won).comparison?.difference).toBeCloseTo(1 / 420);
  expect(drawn(lacking(1, 'second', 1, won)).comparison?.difference).toBe(0);
});

test('nothing is left out if the archive lacked as much for both, or nothing', () => {
  for (const facts of [FACTS, lacking(1, 'second', 5, lacking(1, 'first', 5))]) {
    const { comparison, reasons, sentence } = drawn(facts);
    expect(comparison).not.toHaveProperty('other_web');
    expect(reasons).toEqual([]);
    expect(sentence).not.toContain('the same web');
  }
});

test('no entrants are compared if more than one in twenty episodes would be left out', () => {
  expect(drawn(lacking(1, 'second', 12)).reasons).toEqual(['one_sided']);
  expect(drawn(lacking(1, 'first', 12)).sentence).toBe('');
});

test('a pair that met another web in all its episodes is shown, and not compared', () => {
  const { comparison, reasons } = drawn(withRows(FACTS, { off_archive: 1 }, 'first'));
  expect(comparison).toMatchObject({ templates: 20, other_web: 220 });
  expect(reasons).toEqual(['one_sided']);
});

import { describe, expect, it } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { changesBetween } from '../../src/claim/changes.ts';
import { drawClaims } from '../../src/claim/claims.ts';
import type { ClaimFacts } from '../../src/claim/claim-facts.ts';
import { decide } from '../../src/claim/eligibility.ts';
import { clusterCount, clusterIn } from '../../src/claim/group.ts';
import { smallestShown } from '../../src/claim/smallest-shown.ts';
import { shareOf } from '../../src/claim/figure-fields.ts';
import { spendingOf } from '../../src/claim/spending.ts';
import { hasPassed, successOf } from '../../src/claim/success.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';
import { COMPARISON, completionOf, eligibleFacts, FIRST } from './eligible-facts.ts';

const CONTRACT = ofTask('the one that all are copied from').contract_hash;
const rows = (...edits: Partial<Row>[]) => edits.map((edit) => finishRow({ ...SAMPLE, ...edit }));

function withCopies(count: number, facts: ClaimFacts): ClaimFacts {
  const isCopy = (task: string): boolean => Number(task.slice('task-'.length)) < count;
  return {
    ...facts,
    rows: facts.rows.map((row) => (isCopy(row.task) ? { ...row, contract_hash: CONTRACT } : row)),
  };
}

describe('copies of a task, with its contract and another name,', () => {
  const facts = eligibleFacts({ won: 18 });
  const copied = withCopies(20, facts);

  it('are one template: twenty of them rank no entrant, and twenty tasks do', () => {
    expect(drawClaims(completionOf(copied), 1).claims.comparisons).toMatchObject([{ templates: 1, better: null }]);
    expect(drawClaims(completionOf(facts), 1).claims.comparisons).toMatchObject([{ templates: 20, better: 'first' }]);
  });

  it('do not make a claim about tasks like these', () => {
    expect(decide(COMPARISON, copied).scope).toBe('these tasks only');
    expect(decide(COMPARISON, withCopies(2, facts)).scope).toBe('these tasks only');
    expect(decide(COMPARISON, withCopies(1, facts)).scope).toBe('tasks like these');
  });

  it('are one cluster of a success rate, and of any share', () => {
    const own = (of: ClaimFacts) => of.rows.filter(({ agent }) => agent === FIRST.agent);
    expect(successOf(own(withCopies(6, facts))).passed.clusters).toBe(15);
    expect(successOf(own(facts)).passed.clusters).toBe(20);
    const width = (of: ClaimFacts): number => {
      const { interval } = shareOf(own(of), hasPassed);
      return interval === null ? 0 : interval.high - interval.low;
    };
    expect(width(withCopies(16, facts))).toBeGreaterThan(width(facts));
  });

  it('are one cluster of the costs of episodes', () => {
    const of = (some: ClaimFacts) => spendingOf(some.rows, 1).wall_ms.median_interval;
    expect(of(copied)).toBeNull();
    expect(of(facts)).not.toBeNull();
  });

  it('do not lower the smallest difference that can be shown', () => {
    const shown = (of: ClaimFacts) => drawClaims(completionOf(of), 1).claims.smallest_detectable;
    expect([shown(facts), smallestShown(facts.rows)]).toEqual([expect.closeTo(0.238, 3), expect.closeTo(0.238, 3)]);
    expect([shown(copied), smallestShown(copied.rows)]).toEqual([null, null]);
  });

  it('are one cluster of a change between campaigns', () => {
    const ofTasks = (...edits: Partial<Row>[]) => changesBetween(rows(...edits), rows(...edits)).entrants[0]?.all;
    expect(ofTasks({ task: 'es' }, { task: 'en' })?.before.clusters).toBe(1);
    expect(ofTasks(ofTask('es'), ofTask('en'))?.before.clusters).toBe(2);
  });
});

describe('a cluster', () => {
  it('is a task with its instances, and every task in any suite that shares the contract of one of them', () => {
    const all = rows(
      { task: 'es', instance: 'one', ...contract('1') },
      { task: 'es', instance: 'two', ...contract('2') },
      { task: 'en', suite: 'another', ...contract('2') },
      { task: 'apart', ...contract('3') },
    );
    expect(all.map(clusterIn(all))).toEqual(['basics/es', 'basics/es', 'basics/es', 'basics/apart']);
  });

  it('does not depend on the order of rows, even if one task joins two others', () => {
    const all = rows(
      { task: 'a', ...contract('1') },
      { task: 'b', ...contract('2') },
      { task: 'c', ...contract('1') },
      { task: 'c', ...contract('2') },
      { task: 'd', ...contract('3') },
    );
    for (const some of [all, all.toReversed()]) expect(clusterCount(some)).toBe(2);
  });

  it('does not join tasks of the same name in two suites with different contracts', () => {
    expect(clusterCount(rows({ suite: 'one', ...contract('1') }, { suite: 'two', ...contract('2') }))).toBe(2);
  });
});

function contract(digit: string): Pick<Row, 'contract_hash'> {
  return { contract_hash: digit.repeat(64) };
}

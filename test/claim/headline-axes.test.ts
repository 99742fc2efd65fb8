import { describe, expect, it } from 'vitest';
import { drawClaims } from '../../src/claim/claims.ts';
import type { ClaimFacts } from '../../src/claim/eligibility.ts';
import { competitiveSentence } from '../../src/report/competitive-sentence.ts';
import { completionOf, eligibleFacts, FIRST, SECOND, withRows } from './eligible-facts.ts';

const LOST = { id: 'lost', kind: 'drop' as const, armed: true, fired: true, cleared: true };
const CALM = eligibleFacts();
const STRUCK = struck(eligibleFacts({ won: 18 }), LOST.id);
const SIGNED_IN = withRows(eligibleFacts({ won: 18 }), { auth: { by: 'form' } });

/** The same, where this fault fired in every episode. */
function struck(facts: ClaimFacts, id: string): ClaimFacts {
  const rows = facts.rows.flatMap(
    (row) =>
      withRows({ ...facts, rows: [row] }, { faults: [{ ...LOST, id }], recovered: row.status === 'passed' }).rows,
  );
  return { ...facts, rows };
}

function recovery(facts: ClaimFacts) {
  return drawClaims({ ...completionOf(CALM), fault_recovery: facts }, 1);
}

/** The facts, where the last iteration of the second entrant says nothing, or is not there at all. */
function lackingLast(isVoid: boolean): ClaimFacts {
  const isLast = (row: ClaimFacts['rows'][number]): boolean => row.agent === SECOND.agent && row.iteration === 9;
  const voided = isVoid ? STRUCK.rows.filter(isLast) : [];
  return { ...STRUCK, rows: STRUCK.rows.filter((row) => !isLast(row)), voided };
}

function reasonsOf(facts: ClaimFacts) {
  const compared = recovery(facts).claims.comparisons.find(
    ({ decision }) => decision.question.axis !== 'task_completion',
  );
  return { ...compared, codes: compared?.decision.reasons.map(({ code }) => code) };
}

describe('who recovered from more', () => {
  it('is a headline of its own, beside that of the clean episodes', () => {
    expect(recovery(STRUCK).eligible.map(competitiveSentence)).toEqual([
      expect.stringContaining('Between first through aria and second through aria no difference was shown'),
      expect.stringMatching(
        /^first through aria recovered from more of the same faults than second through aria: by 90\.0 points/,
      ),
    ]);
  });

  it('is asked of the faults alone that say something of both', () => {
    expect(reasonsOf(lackingLast(true))).toMatchObject({ templates: 20, codes: ['too_few_repetitions'] });
    const others = struck(STRUCK, 'another').rows.filter(({ agent }) => agent === SECOND.agent);
    const rows = [...STRUCK.rows.filter(({ agent }) => agent === FIRST.agent), ...others];
    expect(recovery({ ...STRUCK, rows }).claims.comparisons.map(({ decision }) => decision.question.axis)).toEqual([
      'task_completion',
    ]);
  });

  it('is left open where planned episodes have not run, which a void one has', () => {
    expect(reasonsOf(lackingLast(false)).codes).toEqual(['cells_missing', 'too_few_repetitions']);
  });

  it('counts repetitions of each fault in each task, and not of the task alone', () => {
    const halves = [0, 1].map((half) =>
      struck(STRUCK, `f${half}`).rows.filter(({ iteration }) => iteration % 2 === half),
    );
    expect(reasonsOf({ ...STRUCK, rows: halves.flat() }).codes).toEqual(['too_few_repetitions']);
  });
});

describe('who passed more behind a login', () => {
  it('is said of tasks behind one', () => {
    const drawn = drawClaims({ ...completionOf(CALM), authentication: SIGNED_IN }, 1);
    expect(drawn.eligible.map(competitiveSentence)[1]).toMatch(
      /^first through aria passed more behind a login than second through aria: by 90\.0 points/,
    );
  });
});

describe('each entrant', () => {
  it('has a decision on every axis that the plan has something of', () => {
    const { other_axes: others } = recovery(STRUCK).claims;
    expect(others.map(({ question, grade }) => [question.axis, question.entrants, grade])).toEqual([
      ['fault_recovery', [FIRST], 'primary'],
      ['fault_recovery', [SECOND], 'primary'],
    ]);
    expect(drawClaims(completionOf(CALM), 1).claims.other_axes).toEqual([]);
  });

  it('has none that is primary on recovery where nothing counts', () => {
    const { claims } = recovery({ ...STRUCK, rows: [], voided: STRUCK.rows });
    expect(claims.other_axes.map(({ grade }) => grade)).toEqual(['smoke', 'smoke']);
    expect(claims.other_axes[0]?.reasons.map(({ code }) => code)).toContain('no_fault');
  });
});

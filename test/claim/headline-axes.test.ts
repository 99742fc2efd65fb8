import { describe, expect, it } from 'vitest';
import { drawClaims } from '../../src/claim/claims.ts';
import type { ClaimFacts } from '../../src/claim/claim-facts.ts';
import type { FiguredRow } from '../../src/claim/figured-row.ts';
import { competitiveSentence } from '../../src/report/report.ts';
import { ofTask } from '../bundle/sample-row.ts';
import { completionOf, eligibleFacts, FIRST, SECOND, withRows } from './eligible-facts.ts';

const LOST = { id: 'lost', kind: 'drop' as const, armed: true, fired: true, cleared: true };
const CALM = eligibleFacts();
const FAULTY = faulty(eligibleFacts({ won: 18 }), LOST.id);
const SIGNED_IN = withRows(eligibleFacts({ won: 18 }), { auth: { by: 'form' } });

function faulty(facts: ClaimFacts, id: string): ClaimFacts {
  const [passed, failed] = [true, false].map((recovered) => ({ faults: [{ ...LOST, id }], recovered }));
  const edit = ({ status }: FiguredRow) => (status === 'passed' ? passed : failed) ?? {};
  return { ...facts, rows: facts.rows.flatMap((row) => withRows({ ...facts, rows: [row] }, edit(row)).rows) };
}

const DRAWN = new WeakMap<ClaimFacts, ReturnType<typeof drawClaims>>();

/** Draws the claims about recovery, of the same facts once. */
function recovery(facts: ClaimFacts) {
  const drawn = DRAWN.get(facts) ?? drawClaims({ ...completionOf(CALM), fault_recovery: facts }, 1);
  DRAWN.set(facts, drawn);
  return drawn;
}

function lackingLast(isVoid: boolean): ClaimFacts {
  const isLast = (row: ClaimFacts['rows'][number]): boolean => row.agent === SECOND.agent && row.iteration === 9;
  const voided = isVoid ? FAULTY.rows.filter(isLast) : [];
  return { ...FAULTY, rows: FAULTY.rows.filter((row) => !isLast(row)), voided };
}

function reasonsOf(facts: ClaimFacts) {
  const compared = recovery(facts).claims.comparisons.find(
    ({ decision }) => decision.question.axis !== 'task_completion',
  );
  return { ...compared, codes: compared?.decision.reasons.map(({ code }) => code) };
}

describe('the headline on recovery', () => {
  it('is separate from that of the clean episodes', () => {
    expect(recovery(FAULTY).eligible.map(competitiveSentence)).toEqual([
      expect.stringContaining('Between first through aria and second through aria no difference was shown'),
      expect.stringMatching(
        /^first through aria recovered from more of the same faults than second through aria: by 90\.0 points/,
      ),
    ]);
  });

  it('names the faults, and in how many tasks they were', () => {
    const [, sentence] = recovery(FAULTY).eligible.map(competitiveSentence);
    expect(sentence).toContain('Measured on 20 tasks (fixture_app, drop), and speaks of tasks like these.');
    const voided = FAULTY.rows.map((row) => ({ ...row, ...ofTask(`void-${row.task}`) }));
    const part = recovery({ ...FAULTY, voided }).eligible.map(competitiveSentence)[1];
    expect(part).toContain('Measured on 20 of 40 tasks (');
  });

  it('states the caps that a suite has raised, and no others', () => {
    const caps = { steps: 300, turns: 50, wall_ms: 3_600_000, tokens: 90_000, cost_usd: 0.5 };
    const [, sentence] = recovery(withRows(FAULTY, { caps })).eligible.map(competitiveSentence);
    expect(sentence).toContain('(fixture_app, drop), with caps raised to steps 300, wall_ms 3600000, and speaks of');
    expect(recovery(FAULTY).eligible.map(competitiveSentence).join('')).not.toContain('caps');
  });

  it('rests only on the faults that say something of both', () => {
    // Eleven iterations; in the last one the first entrant, which otherwise never fails it, fails a task that the second did not run.
    const facts = faulty(eligibleFacts({ won: 20, repetitions: 11 }), LOST.id);
    const isLast = ({ iteration, task }: FiguredRow): boolean => iteration === 10 && task === 'task-0';
    const rows = facts.rows.map((row) =>
      row.agent === FIRST.agent && isLast(row) ? { ...row, status: 'failed' as const } : row,
    );
    const isVoid = (row: FiguredRow): boolean => row.agent === SECOND.agent && isLast(row);
    const kept = rows.filter((row) => !isVoid(row));
    expect(reasonsOf({ ...facts, rows })).toMatchObject({ codes: [], difference: expect.closeTo(1 - 1 / 220) });
    // What would stand against it, were it asked.
    const aside = kept.map((row) => (isLast(row) ? { ...row, qualification_hash: null } : row));
    const compared = reasonsOf({ ...facts, rows: aside, voided: rows.filter(isVoid) });
    expect(compared).toMatchObject({ codes: [], difference: 1 });
  });

  it('names no entrant if no fault says something of both', () => {
    const others = faulty(FAULTY, 'another').rows.filter(({ agent }) => agent === SECOND.agent);
    const rows = [...FAULTY.rows.filter(({ agent }) => agent === FIRST.agent), ...others];
    const axes = recovery({ ...FAULTY, rows }).claims.comparisons.map(({ decision }) => decision.question.axis);
    expect(axes).toEqual(['task_completion']);
  });

  it('is left open if failures in clean episodes have chosen the faults', () => {
    const isLost = ({ agent, task }: FiguredRow): boolean =>
      agent === SECOND.agent && ['task-0', 'task-1'].includes(task);
    const rows = FAULTY.rows.filter((row) => !isLost(row));
    expect(reasonsOf({ ...FAULTY, rows, voided: FAULTY.rows.filter(isLost) })).toMatchObject({
      templates: 18,
      codes: ['one_sided'],
    });
  });

  it('is not held back by faults that cannot be injected', () => {
    const idle = { status: 'not_applicable', mode: 'skip' } as const;
    const voided = FAULTY.rows.map((row) => ({ ...row, ...idle, faults: [{ ...LOST, armed: false, fired: false }] }));
    expect(reasonsOf({ ...FAULTY, voided }).codes).toEqual([]);
  });

  it('is left open if the end of a void episode is unknown', () => {
    const voided = FAULTY.rows.slice(0, 1).map((row) => ({ ...row, status: 'infra_error' as const }));
    expect(reasonsOf({ ...FAULTY, voided }).codes).toEqual(['not_judged']);
  });

  it('is left open if planned episodes have not run; a void one has', () => {
    expect(reasonsOf(lackingLast(false)).codes).toEqual(['cells_missing', 'too_few_repetitions', 'one_sided']);
    expect(reasonsOf(lackingLast(true)).codes).toEqual(['too_few_repetitions', 'one_sided']);
  });

  it('counts repetitions of each fault in each task, not of the task alone', () => {
    const halves = [0, 1].map((half) =>
      faulty(FAULTY, `f${half}`).rows.filter(({ iteration }) => iteration % 2 === half),
    );
    expect(reasonsOf({ ...FAULTY, rows: halves.flat() }).codes).toEqual(['too_few_repetitions']);
  });
});

describe('the headline on passes behind a login', () => {
  function signedIn(ofTasks: number) {
    const rows = SIGNED_IN.rows.filter(({ task }) => Number(task.slice('task-'.length)) < ofTasks);
    const plan = { ...SIGNED_IN.plan, episodes_each: ofTasks * 10 };
    return drawClaims({ ...completionOf(CALM), authentication: { ...SIGNED_IN, rows, plan } }, 1);
  }

  it('covers the tasks that are behind one', () => {
    expect(signedIn(19).eligible.map(competitiveSentence)[1]).toMatch(
      /^first through aria passed more behind a login than second through aria: by 94\.7 points.* \(fixture_app, form\)/,
    );
  });

  it('is left out if all of them are', () => {
    expect(signedIn(20).claims.comparisons.map(({ decision }) => decision.question.axis)).toEqual(['task_completion']);
  });
});

function besideTime({ other_axes: others }: ReturnType<typeof drawClaims>['claims']) {
  return others.filter(({ question }) => question.axis !== 'time_per_success');
}

describe('each entrant', () => {
  it('has a decision on every axis that is part of the plan', () => {
    expect(
      besideTime(recovery(FAULTY).claims).map(({ question, grade }) => [question.axis, question.entrants, grade]),
    ).toEqual([
      ['fault_recovery', [FIRST], 'primary'],
      ['fault_recovery', [SECOND], 'primary'],
    ]);
    expect(besideTime(drawClaims(completionOf(CALM), 1).claims)).toEqual([]);
  });

  it('has no primary claim on recovery if nothing counts, and a reason', () => {
    const mocked = withRows(FAULTY, { mode: 'mock', endpoint_kind: 'mock' }).rows;
    const { claims } = recovery({ ...FAULTY, rows: [], voided: mocked });
    expect(besideTime(claims).map(({ grade }) => grade)).toEqual(['scaffold', 'scaffold']);
    const reasons = besideTime(claims)[0]?.reasons.map(({ code }) => code);
    expect(reasons).toEqual(['harness_mode', 'no_fault', 'too_few_repetitions']);
  });

  it('has no primary figure while it never passes a task clean, however well it does in the others', () => {
    const isLost = ({ task }: FiguredRow): boolean => task === 'task-0';
    const facts = { ...FAULTY, rows: FAULTY.rows.filter((row) => !isLost(row)), voided: FAULTY.rows.filter(isLost) };
    const codes = besideTime(recovery(facts).claims).map(({ reasons }) => reasons.map(({ code }) => code));
    expect(codes).toEqual([['too_few_repetitions'], ['too_few_repetitions']]);
  });

  it('has the same smallest difference with more faults in the same tasks', () => {
    const twice = ['f0', 'f1'].flatMap((id) => faulty(FAULTY, id).rows);
    const facts = { ...FAULTY, rows: twice, plan: { ...FAULTY.plan, episodes_each: 400 } };
    expect(reasonsOf(facts)).toMatchObject({ codes: [], smallest_detectable: reasonsOf(FAULTY).smallest_detectable });
  });
});

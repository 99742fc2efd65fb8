import { describe, expect, it, test } from 'vitest';
import {
  isPinnedThin,
  pinnable,
  proofOfTrials,
  type TaskTrialsProof,
  thinness,
  waiversIn,
} from '../../src/plan/task-qualification.ts';
import { SOUND } from './sound-trials.ts';

const { parrot: _left, ...LESS } = SOUND.controls;

test('a task qualifies if exactly the trials that must pass have passed', () => {
  expect(proofOfTrials(SOUND)).toMatchObject({ verdict: 'qualified', reasons: [] });
});

test('a task that a control passes is trivial', () => {
  const { verdict, reasons } = proofOfTrials({ ...SOUND, controls: { ...SOUND.controls, teleport: 'passed' } });
  expect({ verdict, reasons }).toEqual({ verdict: 'trivial', reasons: ['trivial: teleport passed'] });
});

describe('a task does not qualify', () => {
  const mutant = { mutant: 'guards:drop', killed_by: null, seen: null, waived: null };
  it.each<[string, Partial<TaskTrialsProof>, string]>([
    ['whose start is not as required', { start_fault: 'it is done' }, 'the start is not as required: it is done'],
    ['that has no solution', { reference: { passed: 0, of: 0 } }, 'it has no solution to be tried'],
    ['whose reference fails once', { reference: { passed: 2, of: 3 } }, 'the reference passed 2 of 3 times'],
    ['that fails another solution', { other_routes: { passed: 0, of: 1 } }, 'another solution passed 0 of 1 times'],
    [
      'that fails other steps to a correct end',
      { perturbed: { ...SOUND.perturbed, right: { passed: 1, of: 2 } } },
      'other steps to the end state of the reference passed 1 of 2 times',
    ],
    [
      'that passes an incorrect end',
      { perturbed: { ...SOUND.perturbed, false_passes: ['step 1 dropped'] } },
      'passed, and its end state is not a right one: step 1 dropped',
    ],
    ['of which a control was left out', { controls: LESS }, 'parrot could not be tried'],
    [
      'of which a control broke down',
      { controls: { ...SOUND.controls, random: 'infra_error' } },
      'random could not be tried',
    ],
    [
      'whose near-miss passes',
      { near_misses: [{ why: 'it was not saved', status: 'passed' }] },
      'the near-miss "it was not saved" came to passed and not to failed',
    ],
    [
      'whose near-miss cannot be carried out',
      { near_misses: [{ why: 'it was not saved', status: 'agent_error' }] },
      'the near-miss "it was not saved" came to agent_error and not to failed',
    ],
    ['of which no mutant was tried', { mutants: [] }, 'no change of the contract was tried'],
    ['whose mutant survives', { mutants: [mutant] }, 'no end state tells guards:drop from the contract'],
    [
      'that has a needless waiver',
      { needless_waivers: ['success:or'] },
      'the waiver of success:or is needless, take it away',
    ],
  ])('%s', (_what, edit, reason) => {
    expect(proofOfTrials({ ...SOUND, ...edit })).toMatchObject({ verdict: 'unqualified', reasons: [reason] });
  });

  it('unless a waiver explains why nothing kills the mutant', () => {
    const waived = { ...mutant, waived: 'the page writes nothing else' };
    expect(proofOfTrials({ ...SOUND, mutants: [waived] }).verdict).toBe('qualified');
  });
});

describe('a proof is thin', () => {
  const made = { route: 'fresh-start', status: 'passed', waived: null };
  const trials = (incorrectEnds: number, routes: readonly (typeof made)[]): TaskTrialsProof => ({
    ...SOUND,
    other_routes: { passed: 0, of: 0 },
    perturbed: { ...SOUND.perturbed, right: { passed: 0, of: 0 } },
    breadth: { incorrect_ends: incorrectEnds, made_routes: [...routes] },
  });

  it.each<[string, TaskTrialsProof, { ends: number | null; routes: number } | null]>([
    ['not with eight different incorrect ends and two correct routes', trials(8, [made]), null],
    ['with seven incorrect ends', trials(7, [made]), { ends: 7, routes: 2 }],
    ['with a single route', trials(8, []), { ends: 8, routes: 1 }],
    ['if its ends were not counted', { ...trials(8, [made]), breadth: null }, { ends: null, routes: 1 }],
  ])('%s', (_, proof, expected) => {
    expect(thinness(proof)).toEqual(expected);
    expect(isPinnedThin(proofOfTrials(proof))).toBe(expected !== null);
  });

  test('if a campaign pins it, unless it was pinned before there was a floor', () => {
    const { breadth: _, ...earlier } = proofOfTrials(trials(8, [made]));
    expect(isPinnedThin(earlier)).toBe(false);
    expect(isPinnedThin(pinnable(earlier))).toBe(true);
  });

  test('and a route that fails disqualifies it, unless it is waived', () => {
    const failing = { ...made, route: 'by-keyboard', status: 'failed' };
    const reasons = (waived: string | null) =>
      proofOfTrials({ ...trials(8, []), breadth: { incorrect_ends: 8, made_routes: [{ ...failing, waived }] } });
    expect(reasons(null)).toMatchObject({ verdict: 'unqualified' });
    expect(reasons('it has no keys')).toMatchObject({ verdict: 'qualified', reasons: [] });
    expect(waiversIn(reasons('it has no keys'))).toContainEqual({
      mutant: 'route:by-keyboard',
      reason: 'it has no keys',
    });
  });
});

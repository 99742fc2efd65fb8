import { describe, expect, it, test } from 'vitest';
import {
  changedText,
  falsePassesText,
  missesText,
  reasonsToShow,
  volatileText,
  weakenedText,
} from '../../src/cli/qualify-words.ts';
import { proofOfTrials, type TaskQualification } from '../../src/plan/task-qualification.ts';
import { SOUND } from '../plan/sound-trials.ts';

const PERTURBED: TaskQualification['perturbed'] = {
  judged: 0,
  right: { passed: 0, of: 0 },
  inconclusive: 0,
  false_passes: [],
};

describe('of a near-miss is said what it did, and what it must do', () => {
  it.each([
    ['passed', 'the near-miss "not saved" passed, but must fail'],
    ['agent_error', 'the near-miss "not saved" ended as agent_error, but must be carried out and fail'],
  ])('where it came to %s', (status, words) => {
    expect(reasonsToShow(proofOfTrials({ ...SOUND, near_misses: [{ why: 'not saved', status }] }))).toEqual([words]);
  });

  it('and other reasons stay as the proof has them', () => {
    const proof = proofOfTrials({ ...SOUND, start_fault: 'it is done' });
    expect(reasonsToShow(proof)).toEqual(['the start is not as required: it is done']);
  });
});

test('of a weakened contract is said that every end was judged alike by it, or why there was none', () => {
  const survivor = { mutant: 'guards:drop', killed_by: null, seen: true, waived: null };
  expect(reasonsToShow(proofOfTrials({ ...SOUND, mutants: [survivor] }))).toEqual([
    'the weakened contract guards:drop judged every end that was tried as yours does',
  ]);
  const reference = { passed: 0, of: 3 };
  expect(reasonsToShow(proofOfTrials({ ...SOUND, reference, mutants: [] }))).toContain(
    'no weakened contract was tried, since the solution never passed',
  );
  expect(reasonsToShow(proofOfTrials({ ...SOUND, mutants: [] }))).toEqual([
    'no weakened contract was tried, since nothing in it can be weakened',
  ]);
});

test('a false pass that is told clause by clause is no reason beside that, and another one is', () => {
  const proof = proofOfTrials({
    ...SOUND,
    near_misses: [{ why: 'not saved', status: 'passed' }],
    perturbed: { ...SOUND.perturbed, false_passes: ['step 1 dropped', 'step 2 dropped'] },
  });
  const reasons = [
    'the near-miss "not saved" came to passed and not to failed',
    'passed, and its end state is not a right one: step 1 dropped',
  ];
  expect(reasonsToShow(proof)).toHaveLength(3);
  expect(reasonsToShow(proof, [{ reasons }])).toEqual(['passed, and its end state is not a right one: step 2 dropped']);
});

describe('of a task whose solution never passed', () => {
  const untried = { near_misses: [{ why: 'not saved', status: 'not tried' }], mutants: [], perturbed: PERTURBED };
  const reference = { passed: 0, of: 3 };

  it('only that is said where the other trials were left out', () => {
    const proof = proofOfTrials({ ...SOUND, ...untried, reference, controls: { null: 'failed' } });
    expect(proof.reasons.length).toBeGreaterThan(4);
    expect(reasonsToShow(proof)).toEqual(['the reference passed 0 of 3 times']);
  });

  it('and all of it where they were made, or where it passed', () => {
    const made = proofOfTrials({ ...SOUND, ...untried, reference });
    expect(reasonsToShow(made)).toHaveLength(4);
    const passed = proofOfTrials({ ...SOUND, ...untried, controls: { null: 'failed' } });
    expect(reasonsToShow(passed)).toContain('parrot could not be tried');
  });
});

test('near-misses that were not tried are not counted as such that passed', () => {
  const miss = (status: string) => ({ why: 'not saved', status });
  expect(missesText([miss('not tried'), miss('not tried')])).toBe('not tried');
  expect(missesText([miss('failed'), miss('agent_error')])).toBe('1/2');
  expect(missesText([])).toBe('0/0');
});

test('what changes by itself is told with the remedy where the solution does not pass for it', () => {
  const volatile = ['/now'];
  expect(volatileText({ volatile, reference: { passed: 0, of: 3 } })).toBe(
    'changes by itself: /now: add it to `except` of the guard, or take it out of the state that the app tells',
  );
  expect(volatileText({ volatile, reference: { passed: 3, of: 3 } })).toBe('changes by itself: /now');
});

test('of wrong ends is said how many were tried, and not how often a task is wrong', () => {
  const reference = { passed: 3, of: 3 };
  const text = (perturbed: Partial<typeof PERTURBED>) =>
    changedText({ reference, perturbed: { ...PERTURBED, ...perturbed } });
  expect(text({ judged: 9 })).toBe('9 wrong ends: none passed');
  expect(text({ judged: 1, false_passes: ['a dropped step'] })).toBe('1 wrong end: 1 passed');
  expect(text({ judged: 2, right: { passed: 1, of: 1 }, inconclusive: 8 })).toBe(
    '2 wrong ends: none passed; 1 right end; 8 undecided',
  );
  expect(text({})).toBe('no wrong end');
});

test('where no solution passed nobody knows which ends are wrong, and none is called so', () => {
  const perturbed = { ...PERTURBED, judged: 11 };
  expect(changedText({ reference: { passed: 0, of: 3 }, perturbed })).toBe('not judged');
});

test('of weakened contracts is said how many were caught, however that was', () => {
  const caught = { mutant: 'a', killed_by: 'null', seen: true, waived: null };
  const waived = { mutant: 'b', killed_by: null, seen: null, waived: 'so' };
  expect(weakenedText([caught, { ...caught, seen: false }, waived])).toBe('2 of 3 caught, 1 waived');
  expect(weakenedText([caught])).toBe('1 of 1 caught');
  expect(weakenedText([])).toBe('none tried');
});

describe('the bound of false passes comes with what would lower it', () => {
  const proof = proofOfTrials({ ...SOUND, perturbed: { ...PERTURBED, judged: 7 } });

  it('more perturbations where each that was asked for could be made', () => {
    expect(falsePassesText([proof], 7)).toMatch(
      /^7 wrong ends were tried, and none passed, as it should be\. So few cannot rule out .* at a rate below 35\.4 % \(95 %\): to rule out more, raise --perturbations above 7, or add tasks; /,
    );
  });

  it('and only more tasks where there were no more to be made', () => {
    expect(falsePassesText([proof], 20)).toMatch(/: to rule out more, add tasks on the same app; /);
  });

  it('and there is none where no wrong end was judged', () => {
    expect(falsePassesText([proofOfTrials({ ...SOUND, mutants: [] })], 20)).toBeNull();
  });
});

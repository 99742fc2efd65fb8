import { describe, expect, it, test } from 'vitest';
import {
  falsePassesText,
  perturbedText,
  reasonsToShow,
  trialText,
  unlessWrong,
  wrongEndsText,
} from '../../src/cli/qualify-words.ts';
import { proofOfTrials } from '../../src/plan/task-qualification.ts';
import { SOUND } from '../plan/sound-trials.ts';

const PERTURBED = { judged: 0, right: { passed: 0, of: 0 }, inconclusive: 0, false_passes: [] };

describe('of a near-miss is said what it did, and what it must do', () => {
  it.each([
    ['passed', 'the near-miss "not saved" passed, but must fail'],
    ['agent_error', 'the near-miss "not saved" ended as agent_error, but must be carried out and fail'],
  ])('where it came to %s', (status, words) => {
    expect(reasonsToShow(proofOfTrials({ ...SOUND, near_misses: [{ why: 'not saved', status }] }))).toEqual([words]);
  });

  it('and other reasons stay as the proof has them', () => {
    const proof = proofOfTrials({ ...SOUND, start_fault: 'it is done', mutants: [] });
    expect(reasonsToShow(proof)).toEqual(proof.reasons);
  });
});

test('of a perturbed trial that passes is said that this may be right, and of no other', () => {
  expect(unlessWrong({ agent: 'perturbed-12', status: 'passed' })).toBe('(its end is checked after all trials)');
  expect(unlessWrong({ agent: 'perturbed-12', status: 'failed' })).toBe('');
  expect(unlessWrong({ agent: 'near-miss-1', status: 'passed' })).toBe('');
});

test('of wrong ends is said how many were tried, and not how often a task is wrong', () => {
  expect(wrongEndsText({ ...PERTURBED, judged: 9 })).toBe('9 tried, none passed');
  expect(wrongEndsText({ ...PERTURBED, judged: 9, false_passes: ['a dropped step'] })).toBe('9 tried, 1 passed');
  expect(wrongEndsText(PERTURBED)).toBe('none tried');
});

test('a trial with a name of ours is told with what it does', () => {
  expect(trialText('perturbed-13')).toBe('perturbed-13 (changed steps)');
  expect(trialText('reference')).toBe('reference');
});

test('inconclusive perturbed ends are counted where there are any', () => {
  expect(perturbedText({ ...PERTURBED, inconclusive: 8 })).toBe('0 wrong, 0 right, 8 inconclusive');
  expect(perturbedText({ ...PERTURBED, judged: 2 })).toBe('2 wrong, 0 right');
});

describe('the bound of false passes comes with what would lower it', () => {
  const proof = proofOfTrials({ ...SOUND, perturbed: { ...PERTURBED, judged: 7 } });

  it('more perturbations where each that was asked for could be made', () => {
    expect(falsePassesText([proof], 7)).toMatch(
      /^7 wrong ends of tasks that qualify were tried, and none passed; .* above 35\.4 % \(95 %\).* To try more: raise --perturbations above 7, or add tasks; /,
    );
  });

  it('and only more tasks where there were no more to be made', () => {
    expect(falsePassesText([proof], 20)).toMatch(/To try more: add tasks on the same app; /);
  });

  it('and there is none where no wrong end was judged', () => {
    expect(falsePassesText([proofOfTrials({ ...SOUND, mutants: [] })], 20)).not.toContain('To try more');
  });
});

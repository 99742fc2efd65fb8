import { expect, test } from 'vitest';
import { countNoProgress, type StepTrace } from '../../src/episode/no-progress.ts';

// One letter a step: a, b = tools that succeed; capital = the call failed; / = the URL changes with this step.
const BY_RULE: [string, number, string][] = [
  ['', 0, 'nothing happened'],
  ['aa', 0, 'two are too few'],
  ['aaa', 1, 'the same tool three times at one URL'],
  ['aba', 0, 'another tool in between'],
  ['aa/a', 0, 'the URL changed with the last'],
  ['/aaa', 1, 'the URL changed before the window'],
  ['AAA', 1, 'three errors'],
  ['ABA', 1, 'three errors of different tools'],
  ['AA', 0, 'two errors'],
  ['AAb', 0, 'a success after two errors'],
  ['aaA', 0, 'an error among successes of the same tool'],
  ['aaaaa', 1, 'windows do not overlap'],
  ['aaaaaa', 2, 'two windows'],
  ['AAAaaa', 2, 'a window of errors, then one of repeats'],
  ['baaa', 1, 'a window may begin at any step'],
  ['AAAA', 1, 'four errors hold one window'],
];

test.each(BY_RULE)('%s counts %i: %s', (steps, count) => {
  expect(countNoProgress(traces(steps))).toBe(count);
});

const BY_STATUS: [StepTrace['progress'][], number][] = [
  [['progressing', 'progressing', 'progressing'], 0],
  [['stalling', 'progressing', 'stuck'], 2],
  [['stuck', 'stuck', 'stuck'], 3],
];

test.each(BY_STATUS)('with the surface’s own status %j it counts %i', (statuses, count) => {
  expect(countNoProgress(statuses.map((progress) => ({ tool: 'a', ok: true, url: 'u', progress })))).toBe(count);
});

function traces(steps: string): StepTrace[] {
  let url = 0;
  const found: StepTrace[] = [];
  for (const letter of steps) {
    if (letter === '/') url += 1;
    else
      found.push({ tool: letter.toLowerCase(), ok: letter === letter.toLowerCase(), url: `u${url}`, progress: null });
  }
  return found;
}

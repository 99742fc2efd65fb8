import { expect, test } from 'vitest';
import { Interruption } from '../../src/cli/interruption.ts';

/** What signals at these times ask for, in ms. */
function wishes(...times: number[]): string[] {
  let now = 0;
  const interruption = new Interruption(() => now);
  return times.map((time) => {
    now = time;
    return interruption.signalled();
  });
}

test('the first signal asks to stop after the episode, the second to stop at once', () => {
  expect(wishes(0, 1000)).toEqual(['stop', 'stop at once']);
});

test('one Ctrl-C that reaches us twice, directly and passed on, counts once', () => {
  expect(wishes(0, 0)).toEqual(['stop', 'nothing new']);
  expect(wishes(5000, 5299, 5300)).toEqual(['stop', 'nothing new', 'stop at once']);
});

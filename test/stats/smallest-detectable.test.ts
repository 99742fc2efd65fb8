import { describe, expect, it, test } from 'vitest';
import { rateBounds } from '../../src/stats/bounds.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { signFlip } from '../../src/stats/sign-flip.ts';
import { detectableWith, smallestDetectable } from '../../src/stats/smallest-detectable.ts';

describe('the smallest difference that a campaign can show', () => {
  it('is 3 points for 969 tasks without end of trials, as Miller has it (2024, §5)', () => {
    expect(smallestDetectable(969, 1e9, 1)).toBeCloseTo(0.03, 5);
  });

  it('becomes smaller with templates without end, and with trials only so far', () => {
    expect(smallestDetectable(400, 10, 1)).toBeLessThan((smallestDetectable(100, 10, 1) ?? 0) * 0.51);
    expect(smallestDetectable(20, 1_000, 1)).toBeGreaterThan(0.2);
  });

  it('is no more than two rates can differ by, and none without trials', () => {
    expect(smallestDetectable(6, 1, 1)).toBeLessThan(1);
    expect(smallestDetectable(0, 10, 1)).toBeNull();
    expect(smallestDetectable(10, 0, 1)).toBeNull();
  });

  it.each([
    [1, 5, 6],
    [3, 6, 7],
    [45, 10, 11],
  ])(
    'is none of %i pairs on %i tasks, where the test cannot come to the level, and is one on %i',
    (pairs, few, enough) => {
      const best = (tasks: number) =>
        (signFlip(
          Array.from({ length: tasks }, () => 1),
          1,
        )?.p ?? 1) * pairs;
      expect([best(few) > 0.05, best(enough) > 0.05]).toEqual([true, false]);
      expect(smallestDetectable(few, 10, pairs)).toBeNull();
      expect(smallestDetectable(enough, 10, pairs)).toBeGreaterThan(0);
    },
  );

  it('is found in 80 of 100 campaigns when it is there', () => {
    const random = seededRandom(11);
    const [templates, spread] = [40, 0.5];
    const truth = detectableWith(spread ** 2, templates);
    let found = 0;
    for (let campaign = 0; campaign < 2_000; campaign += 1) {
      let total = 0;
      for (let task = 0; task < templates; task += 1) total += truth + spread * normal(random);
      if (Math.abs(total / templates) > (1.96 * spread) / Math.sqrt(templates)) found += 1;
    }
    expect(found / 2_000).toBeGreaterThan(0.77);
    expect(found / 2_000).toBeLessThan(0.83);
  });
});

/** A draw from the standard normal distribution (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

test('a rate with unknown trials lies between all of them failed and all of them passed', () => {
  expect(rateBounds(6, 2, 10)).toEqual({ low: 0.6, high: 0.8 });
  expect(rateBounds(6, 0, 10)).toEqual({ low: 0.6, high: 0.6 });
  expect(rateBounds(0, 0, 0)).toBeNull();
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { episodeCountIn, episodesIn, placeIn, groupCount } from '../../src/plan/part-of-plan.ts';
import { episodesOf, type Plan } from '../../src/plan/plan.ts';
import { SMALL_PLAN } from './sample-plan.ts';

function planOf(entrants: number, iterations: number): Plan {
  const agents = Array.from({ length: entrants }, (_, at) => ({ agent: `agent-${at}`, surface: 'aria' }));
  return { ...SMALL_PLAN, entrants: agents, iterations };
}

test('each episode is in exactly one part, in plan order, together with its rivals at the task', () => {
  const sizes = fc.tuple(
    fc.integer({ min: 1, max: 5 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 12 }),
  );
  fc.assert(
    fc.property(sizes, ([entrants, iterations, of]) => {
      const plan = planOf(entrants, iterations);
      const parts = Array.from({ length: of }, (_, at) => ({ plan, shard: { index: at + 1, of } }));
      const episodes = parts.map(episodesIn);
      expect(episodes.flat().toSorted((a, b) => a.planIndex - b.planIndex)).toEqual(episodesOf(plan));
      for (const [at, own] of episodes.entries()) {
        expect(own).toEqual(own.toSorted((a, b) => a.planIndex - b.planIndex));
        const part = parts[at];
        expect(part && episodeCountIn(part)).toBe(own.length);
        expect(part && own.map(({ planIndex }) => placeIn(planIndex, part))).toEqual(own.map((_, place) => place));
        for (const iteration of new Set(own.map((each) => each.iteration))) {
          expect(own.filter((each) => each.iteration === iteration)).toHaveLength(entrants);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('a plan can be split into as many parts as it has repetitions of tasks', () => {
  const plan = planOf(3, 4);
  expect(groupCount(plan)).toBe(4);
  expect(episodesIn({ plan, shard: { index: 4, of: 4 } })).toHaveLength(3);
});

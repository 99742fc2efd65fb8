import { expect, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { entrantAxes } from '../../src/claim/axes.ts';
import { quantile } from '../../src/stats/resampling.ts';
import { axesSection } from '../../src/report/sections/axes.ts';
import { markdownSections } from '../../src/report/markdown.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const ENTRANTS = [{ agent: SAMPLE.agent, surface: SAMPLE.surface }];

function timed(changes: Partial<Row>, ...callMs: number[]) {
  return { row: { ...SAMPLE, ...changes }, callMs };
}

const PASSED = timed(
  { status: 'passed', steps: 3, response_tokens: 100, wall_ms: 1_000, tool_list_tokens: 700 },
  10,
  20,
  30,
);
const FAILED = timed({ status: 'failed', steps: 5, response_tokens: 500, wall_ms: 3_000, tool_list_tokens: 700 }, 40);

test('the cost of a pass is given with and without failures', () => {
  const [axes] = entrantAxes([PASSED, FAILED], ENTRANTS);
  expect(axes).toMatchObject({
    episodes: 2,
    passed: 1,
    median_calls: 4,
    tool_list_tokens: 700,
    response_tokens_per_completed: 100,
    response_tokens_expected: 600,
    median_wall_ms: 2_000,
    wall_ms_expected: 4_000,
    call_p50_ms: 25,
  });
});

test('without a pass, a pass has no cost', () => {
  expect(entrantAxes([FAILED], ENTRANTS)).toMatchObject([
    { passed: 0, response_tokens_expected: null, wall_ms_expected: null },
  ]);
});

test('a sum lacks a figure that one episode lacks', () => {
  const unknown = timed({ ...FAILED.row, response_tokens: null });
  expect(entrantAxes([PASSED, unknown], ENTRANTS)).toMatchObject([
    { response_tokens_per_completed: 100, response_tokens_expected: null },
  ]);
});

const textOf = (...given: Parameters<typeof axesSection>): string => markdownSections([axesSection(...given)]);

test('a surface that could not run has a reason instead of figures', () => {
  const gone = timed({ status: 'unavailable', steps: null, null_reasons: { steps: 'unavailable: | not ` installed' } });
  const axes = entrantAxes([gone], ENTRANTS);
  expect(axes).toMatchObject([{ episodes: 0, median_calls: null, why_not: 'unavailable: | not ` installed' }]);
  expect(textOf('Nothing', axes)).toContain(
    `- ${SAMPLE.agent} through ${SAMPLE.surface}: \`\`unavailable: \\| not \` installed\`\``,
  );
});

test('entrants are named the same way, by surface alone only if all are references', () => {
  const of = (...entrants: { agent: string; surface: string }[]) =>
    textOf(
      'These',
      entrantAxes(
        entrants.map((entrant) => timed({ ...PASSED.row, ...entrant }, 10)),
        entrants,
      ),
    );
  const [first, second] = [
    { agent: 'reference', surface: 'aria' },
    { agent: 'reference', surface: 'dom' },
  ];
  expect(of(first, second)).toMatch(/\| surface \| version .*\n.*\n\| aria \| .*\n\| dom \| /);
  expect(of(first, { agent: 'null', surface: 'aria' })).toMatch(
    /\| entrant \| version .*\n.*\n\| reference through aria \| .*\n\| null through aria \| /,
  );
});

test('an entrant without rows is left out if any has rows', () => {
  expect(entrantAxes([], ENTRANTS)).toEqual([]);
});

test('a quantile lies between its neighbours', () => {
  expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
  expect(quantile([1, null, 3], 1)).toBe(3);
  expect(quantile([10, 20], 0.95)).toBeCloseTo(19.5);
  expect(quantile([null], 0.5)).toBeNull();
});

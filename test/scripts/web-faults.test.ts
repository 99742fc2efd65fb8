import { expect, test } from 'vitest';
import { faultBlocks } from '../../scripts/web-faults.ts';
import { surfacesWith } from '../../scripts/surface-names.ts';
import type { StressFigures } from '../../src/claim/stress.ts';
import { markdownBlocks } from '../../src/report/markdown.ts';

const NONE = {
  agent: 'retrying-reference',
  interval: null,
  not_fired: 0,
  clean_failed: 0,
  not_applicable: 0,
  gave_up: 0,
  damaged: 0,
  extra_steps: null,
  extra_ms: null,
  obeyed: 0,
  shown_orders: 0,
};

function figures(surface: string, kind: string | null, recovered: number, of: number): StressFigures {
  return { ...NONE, surface, kind, recovered, of };
}

test('draws the faults that each surface survived, and those that it did not or could not have', () => {
  const lines = markdownBlocks(
    faultBlocks([
      figures('aria', null, 1, 3),
      figures('aria', 'drop', 1, 2),
      figures('aria', 'tab_crash', 0, 1),
      figures('aria', 'server_killed', 0, 0),
      figures('aria', 'covered', 1, 1),
      figures('dom', null, 3, 3),
      figures('dom', 'drop', 2, 2),
      figures('dom', 'tab_crash', 0, 0),
      figures('dom', 'server_killed', 0, 0),
      figures('pixels', null, 0, 0),
      figures('pixels', 'drop', 0, 0),
    ]),
  );
  expect(lines).toEqual([
    'Faults survived: dom 3/3, aria 1/3.',
    '',
    'Not tried, since they do not pass the task without a fault: pixels.',
    '',
    'No surface failed at `covered`.',
    '',
    '| fault | survived | not survived | not tried |',
    '|---|---|---|---|',
    '| `drop` | dom | aria (1/2 survived) |  |',
    '| `tab_crash` |  | aria | dom |',
    '',
  ]);
});

const equal = (...surfaces: string[]) => surfaces.map((surface) => ({ surface, end: 'passed', share: '' }));

test('names the largest group "all others" from three surfaces, and each of two', () => {
  const one = { surface: 'z', end: 'failed', share: '' };
  expect(surfacesWith([...equal('c', 'b', 'a'), one], 'passed')).toBe('all others');
  expect(surfacesWith([...equal('b', 'a'), one], 'passed')).toBe('a, b');
  expect(surfacesWith([...equal('c', 'b', 'a'), one], 'failed')).toBe('z');
  const half = { surface: 'y', end: 'passed', share: ' (1/2)' };
  expect(surfacesWith([...equal('c', 'b', 'a'), half], 'passed')).toBe('y (1/2), all others');
});

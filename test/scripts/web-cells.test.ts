import { expect, test } from 'vitest';
import { measuredBefore } from '../../src/cli/actions/surface-bench.ts';
import { causeOf, causeProblems, readCauses } from '../../scripts/web-cells.ts';

test('every cell of the measured matrix that did not pass has one cause, and no other cell has any', () => {
  expect(causeProblems(readCauses(), measuredBefore())).toEqual([]);
});

test('a failed cell without a cause, and causes of other cells, are reported', () => {
  const [first, ...others] = readCauses();
  const given = [...others, { source: 'server' as const, why: 'x', cells: { aria: ['tab-new', 'moving'] } }];
  expect(first?.cells).toEqual({ aria: ['canvas'], dom: ['canvas'] });
  expect(causeProblems(given, measuredBefore())).toEqual([
    'aria/canvas has no cause',
    'dom/canvas has no cause',
    'aria/tab-new did not fail',
    'aria/moving has two causes',
  ]);
});

test('finds the cause of a cell', () => {
  const cause = causeOf(readCauses());
  expect(cause('openchrome', 'upload')?.source).toBe('binding');
  expect(cause('pixels', 'canvas')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { failureTallies } from '../../src/claim/failures.ts';
import { FiguredRows } from '../../src/claim/figured-row.ts';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

function figured(...changes: Partial<Row>[]) {
  const rows = new FiguredRows();
  return changes.map((change) => rows.of(finishRow({ ...SAMPLE, ...change })));
}

test('failures are counted for each surface and task, the most frequent category first', () => {
  const tallies = failureTallies(
    figured(
      { task: 'a', failure_category: 'over_claim' },
      { task: 'a', failure_category: 'tool_error' },
      { task: 'a', failure_category: 'tool_error' },
      { task: 'b', failure_category: 'tool_error' },
      { task: 'b', failure_category: 'tool_error', surface: 'nac3' },
    ),
  );
  expect(tallies.map(({ task, surface, counts }) => [task, surface, counts])).toEqual([
    [
      'a',
      SAMPLE.surface,
      [
        { category: 'tool_error', episodes: 2 },
        { category: 'over_claim', episodes: 1 },
      ],
    ],
    ['b', SAMPLE.surface, [{ category: 'tool_error', episodes: 1 }]],
    ['b', 'nac3', [{ category: 'tool_error', episodes: 1 }]],
  ]);
});

test('what passed and what never ran is no failure', () => {
  expect(failureTallies(figured({ failure_category: 'none' }, { failure_category: null }))).toEqual([]);
});

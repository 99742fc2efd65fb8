import { expect, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { whoReachedOthers } from '../../src/claim/kept-apart.ts';
import { eligibleFacts, withRows } from './eligible-facts.ts';

const AT_ONCE = { workers: 2, load_average: 1, cores: 2 };

function reaching(edit: Partial<Row>) {
  return whoReachedOthers(withRows(eligibleFacts({ templates: 1, repetitions: 2 }), edit, 'first').rows);
}

test.each([
  ['shares our network', { process_isolation: { by: 'bubblewrap', network: 'shared' } }],
  ['is another user', { process_isolation: { by: 'user', network: 'shared' } }],
  ['is a command of which nobody knows how it was kept apart', { decider: 'process', process_isolation: null }],
] as const)('an entrant that %s reached those that ran at once with it, and none if it ran alone', (_, edit) => {
  expect(reaching({ ...edit, concurrency: AT_ONCE })).toEqual([{ agent: 'first', surface: 'aria' }]);
  expect(reaching(edit)).toEqual([]);
});

test('an entrant that reaches the gateway alone, or is no process, reached none', () => {
  const process_isolation = { by: 'bubblewrap', network: 'gateway' } as const;
  expect(reaching({ process_isolation, concurrency: AT_ONCE })).toEqual([]);
  expect(reaching({ process_isolation: null, concurrency: AT_ONCE })).toEqual([]);
});

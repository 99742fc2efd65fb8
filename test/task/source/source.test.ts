import { expect, it } from 'vitest';
import { formatPath, formatProblem } from '../../../src/task/source/source.ts';

const PROBLEM = {
  file: 'suites/x/task.yaml',
  line: 12,
  column: 5,
  path: ['success', 'children', 0, 'contain'],
  message: 'unknown field; allowed: kind, contains',
};

it('is one line with place, path and message', () => {
  expect(formatProblem(PROBLEM)).toBe(
    'suites/x/task.yaml:12:5 success.children[0].contain: unknown field; allowed: kind, contains',
  );
});

it('leaves out a place that is not known', () => {
  expect(formatProblem({ ...PROBLEM, line: null, column: null, path: [] })).toBe(
    'suites/x/task.yaml: unknown field; allowed: kind, contains',
  );
});

it('quotes a field name that would read as a path', () => {
  expect(formatPath(['success', 'a.b', 1])).toBe('success["a.b"][1]');
});

import { expect, test } from 'vitest';
import type { Row } from '../../src/bundle/row.ts';
import { entrantAxes } from '../../src/claim/axes.ts';
import { markdownBlocks } from '../../src/report/markdown.ts';
import { situationCount, Situations, situationsOf, situationsSection } from '../../src/report/situations.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const TASKS = [
  { id: 'frame', title: 'A frame', tags: ['frames'] },
  { id: 'alert', title: 'An alert', tags: ['dialogs'] },
];

function row(surface: string, task: string, status: Row['status']): Row {
  return { ...SAMPLE, agent: 'reference', surface, task, status };
}

function measured(rows: readonly Row[]): Situations {
  const entrants = [...new Set(rows.map(({ surface }) => surface))].map((surface) => ({ agent: 'reference', surface }));
  const axes = entrantAxes(
    rows.map((each) => ({ row: each, callMs: [] })),
    entrants,
  );
  const tasks = TASKS.map((task) => ({ suite: 'web', task }));
  return Situations.parse(situationsOf({ created_at: '2026-01-01T00:00:00.000Z', plan: { tasks } }, rows, axes));
}

test('counts the situations that passed each time, and puts the surface with most of them first', () => {
  const { surfaces } = measured([
    row('dom', 'frame', 'passed'),
    row('dom', 'frame', 'failed'),
    row('dom', 'alert', 'passed'),
    row('aria', 'frame', 'passed'),
    row('aria', 'alert', 'passed'),
  ]);
  expect(surfaces.map((each) => [each.surface, situationCount(each, TASKS)])).toEqual([
    ['aria', { passed: 2, of: 2 }],
    ['dom', { passed: 1, of: 2 }],
  ]);
});

test.each<[status: Row['status'], head: string]>([
  ['failed', 'every step was tried, and the page ended otherwise'],
  ['agent_error', 'no element or text was found for a step'],
  ['max_steps', 'out of steps or time'],
  ['not_applicable', 'no tool is bound to a step'],
  ['infra_error', 'not judged'],
])('lists what ended as %s under "%s"', (status, head) => {
  const rows = [row('dom', 'frame', status), row('dom', 'alert', 'passed'), row('aria', 'frame', 'passed')];
  const lines = markdownBlocks(situationsSection(measured(rows)).blocks);
  expect(lines.slice(lines.indexOf(`| surface | ${head} |`))).toContain('| dom | frame |');
  expect(lines.at(-2)).toBe('| aria |  |');
});

test('a situation that passed only sometimes has its share', () => {
  const rows = [row('dom', 'frame', 'passed'), row('dom', 'frame', 'failed')];
  expect(markdownBlocks(situationsSection(measured(rows)).blocks)).toContain('| dom | frame (1/2 passed) |');
});

import { expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/row.ts';
import { entrantScores } from '../../src/claim/scores.ts';
import { publishedMarkdown, type PublishedReport } from '../../src/report/published-report.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const HOSTILE = '</td>|`<script>alert(1)</script>\n# heading';

function report(suite: string, observed = 'Your cart'): PublishedReport {
  const failed_contract = { path: 'success.children.0', kind: 'dom_text', expected: 'Thanks', observed };
  const rows = [finishRow({ ...SAMPLE, suite, failed_contract })];
  const tasks = [{ suite, task: SAMPLE.task, instance: 'default', isSeed: true }];
  return {
    schema_version: 1,
    commit: 'abcdef0123456789abcdef0123456789abcdef01',
    dirty: false,
    bench_version: '0.1.0',
    campaign_id: 'campaign',
    outcome_hash: 'f'.repeat(64),
    iterations: 1,
    suites: [suite],
    entrants: entrantScores(rows, tasks, [{ agent: SAMPLE.agent, surface: SAMPLE.surface }]),
  };
}

test('a report names its commit, the score of the seed and of all, and why a task failed', () => {
  const text = publishedMarkdown(report('shop'));
  expect(text).toContain('# shop at abcdef012345\n');
  expect(text).toContain(
    '| model through aria | live | fixture_app | 0 / 1 | 0 / 1 | 0.0 % | 9000 ms | 4 | 0.0200 USD |',
  );
  expect(text).toContain(
    '| checkout | failed | 0 of 1 | 9000 ms | 4 | 1200 | 0.0200 USD | `success.children.0` (dom_text): expected `Thanks`, observed `Your cart` |',
  );
});

test('that of a working copy with changes says so', () => {
  expect(publishedMarkdown({ ...report('shop'), dirty: true })).toContain('**with local changes**');
  expect(publishedMarkdown(report('shop'))).not.toContain('local changes');
});

test('only the tasks of WebVoyager are set beside what others have published, with what to think of that', () => {
  expect(publishedMarkdown(report('shop'))).not.toContain('notte');
  const text = publishedMarkdown(report('webvoyager'));
  for (const figure of ['86.2 %', '79.0 %', '47 s', '113 s']) expect(text).toContain(figure);
  expect(text).toContain('stricter than the judgement of a model');
  expect(text).toContain('not directly comparable');
});

test('what a page said stays in its cell, as it is', () => {
  const rows = publishedMarkdown(report('shop', HOSTILE)).split('\n');
  const row = rows.find((line) => line.startsWith('| checkout'));
  expect(row).toContain('observed ``</td>\\|`<script>alert(1)</script>␊# heading``');
  expect(row?.replaceAll('\\|', '').split('|')).toHaveLength(10);
});

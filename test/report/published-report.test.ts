import { expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/row.ts';
import { drawClaims } from '../../src/claim/claims.ts';
import type { ClaimFacts } from '../../src/claim/claim-facts.ts';
import { entrantScores } from '../../src/claim/scores.ts';
import { markdownSections } from '../../src/report/markdown.ts';
import { publishedSections, type PublishedReport } from '../../src/report/published-report.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { completionOf, eligibleFacts, withTaskFacts } from '../claim/eligible-facts.ts';
import { drawnReport } from './drawn-report.ts';

const HOSTILE = '</td>|`<script>alert(1)</script>\n# heading';

function report(suite: string, observed = 'Your cart'): PublishedReport {
  const failed_contract = { path: 'success.children.0', kind: 'dom_text', expected: 'Thanks', observed };
  const rows = [finishRow({ ...SAMPLE, suite, failed_contract })];
  const tasks = [{ suite, task: SAMPLE.task, instance: 'default', isSeed: true }];
  const entrants = [{ agent: SAMPLE.agent, surface: SAMPLE.surface }];
  return {
    schema_version: 1,
    commit: 'abcdef0123456789abcdef0123456789abcdef01',
    dirty: false,
    bench_version: '0.1.0',
    campaign_id: 'campaign',
    created_at: '2026-11-25T10:00:00.000Z',
    plan_hash: 'e'.repeat(64),
    outcome_hash: 'f'.repeat(64),
    browser: SAMPLE.browser,
    iterations: 1,
    suites: [suite],
    entrants: entrantScores(rows, tasks, entrants),
    claims: drawnReport(1, rows, entrants).claims,
  };
}

function claimed(facts: ClaimFacts): string {
  const { claims } = drawClaims(completionOf(facts), 1);
  const entrants = claims.entrants.flatMap(({ agent, surface }) =>
    report('shop').entrants.map((each) => ({ ...each, agent, surface })),
  );
  return textOf({ ...report('shop'), entrants, claims });
}

const textOf = (drawn: PublishedReport): string => markdownSections(publishedSections(drawn));

test('a report names its commit, the score of the seed and of the others, and why a task failed', () => {
  const text = textOf(report('shop'));
  expect(text).toContain('# shop at abcdef012345\n');
  expect(text).toContain('- Campaign campaign, planned on 25 November 2026, run in ');
  expect(text).toContain(`- Plan hash \`${'e'.repeat(64)}\`\n- Outcome hash \`${'f'.repeat(64)}\``);
  expect(text).toContain(
    '| model through aria | live | fixture_app | smoke | 0 / 1 (0.0 %) | – | 0.0 % | – | 9000 ms | 4 | 0.0200 USD |',
  );
  expect(text).toContain(
    '| checkout | failed | 0 of 1 | 9000 ms | 4 | 1200 | 0.0200 USD | `success.children[0] (dom_text)`: expected: `Thanks`; found: `Your cart` |',
  );
});

test('no score stands without its grade and all that stands against it', () => {
  const text = textOf(report('shop'));
  const [, below] = text.split('other tasks |');
  for (const part of ['- smoke all entrants', '- `too_few_repetitions`:', '- `not_verified`:']) {
    expect(below).toContain(part);
  }
  expect(text).toContain('- smoke model through aria (');
});

test('a score stands beside the interval of its episodes', () => {
  expect(claimed(eligibleFacts({ won: 20 }))).toMatch(/first through aria .* \| 100\.0 % \| 83\.9 to 100\.0 \|/u);
});

test('of a score against which nothing stands it is said that it is primary, and no reason is given', () => {
  const text = claimed(eligibleFacts({ won: 20 }));
  expect(text).toContain('| first through aria | live | fixture_app | primary |');
  expect(text).toContain('- primary all entrants: may be published as a result\n');
  expect(text).not.toContain('To lift it');
});

test('what was waived in the proofs is told below the scores, and nothing where nothing was', () => {
  const waivers = [{ mutant: 'success:drop', reason: 'the app has no other' }];
  const facts = eligibleFacts({ templates: 1 });
  expect(claimed(withTaskFacts(facts, { waivers }))).toContain('`success:drop`, because the app has no other');
  expect(claimed(facts)).not.toContain('Waived');
});

test('that of a working copy with changes says so', () => {
  expect(textOf({ ...report('shop'), dirty: true })).toContain('**with local changes**');
  expect(textOf(report('shop'))).not.toContain('local changes');
});

test('only the tasks of WebVoyager are set beside what others have published, with what to think of that', () => {
  expect(textOf(report('shop'))).not.toContain('notte');
  const text = textOf(report('webvoyager'));
  for (const figure of ['86.2 %', '79.0 %', '47 s', '113 s']) expect(text).toContain(figure);
  expect(text).toContain('stricter than the judgement of a model');
  expect(text).toContain('not directly comparable');
});

test('what a page said stays in its cell, as it is', () => {
  const rows = textOf(report('shop', HOSTILE)).split('\n');
  const row = rows.find((line) => line.startsWith('| checkout'));
  expect(row).toContain('found: ``</td>\\|`<script>alert(1)</script>␊# heading``');
  expect(row?.replaceAll('\\|', '').split('|')).toHaveLength(10);
});

test('a browser that calls itself by markup has none in the report', () => {
  const name = '<img src=x onerror=alert(1)>';
  const browser: PublishedReport['browser'] = {
    name,
    version: '[1](javascript:alert(1))',
    build: null,
    kind: 'shell',
    ours: true,
    sandbox: null,
  };
  const text = textOf({ ...report('shop'), browser });
  expect(text).toContain('run in `<img src=x onerror=alert(1)> [1](javascript:alert(1))`');
});

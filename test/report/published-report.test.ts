import { expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/row.ts';
import { drawClaims } from '../../src/claim/claims.ts';
import type { ClaimFacts } from '../../src/claim/claim-facts.ts';
import { entrantScores } from '../../src/claim/scores.ts';
import { markdownSections } from '../../src/report/markdown.ts';
import { publishedSections, type PublishedReport } from '../../src/report/published-report.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { changedLines, textsOf } from '../cli/texts-of.ts';
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

test('published scores, each with its grade and the reasons against it', async () => {
  const usual = textOf(report('shop'));
  const facts = eligibleFacts({ templates: 1 });
  const waivers = [{ mutant: 'success:drop', reason: 'the app has no other' }];
  const name = '<img src=x onerror=alert(1)>';
  const version = '[1](javascript:alert(1))';
  const browser: PublishedReport['browser'] = { name, version, build: null, kind: 'shell', ours: true, sandbox: null };
  const changed = (other: PublishedReport) => changedLines(usual, textOf(other));
  await expect(
    textsOf({
      'one episode': usual.split('\n'),
      'nothing stands against them': changedLines(usual, claimed(eligibleFacts({ won: 20 }))),
      'waivers in the proofs': changedLines(claimed(facts), claimed(withTaskFacts(facts, { waivers }))),
      'a working copy with changes': changed({ ...report('shop'), dirty: true }),
      'tasks of WebVoyager': changed(report('webvoyager')),
      'words of a page': changed(report('shop', HOSTILE)),
      'a browser that calls itself by markup': changed({ ...report('shop'), browser }),
    }),
  ).toMatchFileSnapshot('golden/published.txt');
});

test('text of a page stays in its cell', () => {
  const rows = textOf(report('shop', HOSTILE)).split('\n');
  const row = rows.find((line) => line.startsWith('| checkout'));
  expect(row?.replaceAll('\\|', '').split('|')).toHaveLength(10);
});

import { describe, expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/finish-row.ts';
import type { RowDraft } from '../../src/bundle/row.ts';
import { firstScreen } from '../../src/cli/first-screen.ts';
import { widthOf } from '../../src/cli/live/text-width.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';
import { drawnReport } from '../report/drawn-report.ts';

const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null, failure_category: null } as const;
const CONTROL = { agent: 'null', decider: 'control', mode: 'control', endpoint_kind: 'none' } as const;

function reportOf(rows: Partial<RowDraft>[], planned = rows.length) {
  const finished = rows.map((row, index) => finishRow({ ...SAMPLE, iteration: 0, ...row, plan_index: index }));
  const named = finished.map(({ agent, surface }) => ({ agent, surface }));
  const entrants = [...new Map(named.map((each) => [`${each.agent} ${each.surface}`, each])).values()];
  return drawnReport(planned, finished, entrants);
}

/** Two tasks of a model, of which it passes one, and a control beside it. */
const SMALL = [
  { ...ofTask('buy'), ...PASSED },
  { ...ofTask('sell') },
  { ...ofTask('buy'), ...CONTROL },
  { ...ofTask('sell'), ...CONTROL },
];

test('the first screen has the title in words, a bar for each entrant, what may be claimed, and why it failed', () => {
  const lines = firstScreen(reportOf(SMALL));
  expect(lines.slice(0, 8)).toEqual([
    'basics: model and null through aria',
    '1 January 2026 · 1 of 2 passed; controls 0 of 2 · chromium 156.0',
    '',
    'model/aria  ━━━━━━━━━━●━━━━━━━━━━  1 of 2  50 % (0–100)  4 steps  9.00 s',
    'controls and baselines, to compare with:',
    'null/aria   ●━━━━━━━━━━━━━·······  0 of 2    0 % (0–66)  4 steps  9.00 s',
    '● share that passed  ━ its 95 % interval  · from 0 to 100 %',
    '',
  ]);
  expect(lines.slice(8).join('\n')).toMatch(/^claims {9}none about who does better; \w+: /);
  expect(lines.slice(8).join(' ').replaceAll(/ +/g, ' ')).toMatch(
    / against it: .*; to lift it, .* more reasons?, in the report\) /,
  );
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/^failures {7}1 × /),
    '               sell by model/aria: The page shows “Your cart”.',
  ]);
});

test('nothing is said of failures where all passed, nor of the failures of controls', () => {
  const lines = firstScreen(
    reportOf([
      { ...ofTask('buy'), ...PASSED },
      { ...ofTask('sell'), ...CONTROL },
    ]),
  );
  expect(lines.filter((line) => line.startsWith('failures'))).toEqual([]);
});

test('no interval is promised of a single task', () => {
  const lines = firstScreen(reportOf([{ ...ofTask('buy'), ...PASSED }]));
  expect(lines[3]).toMatch(/^model\/aria {2}·{20}● {2}1 of 1 {2}100 % {2}4 steps/);
});

describe('whatever stands in a report', () => {
  const hostile = `\u001b[2J\u202e${'很长的页面 '.repeat(80)}`;
  const report = reportOf([
    ...SMALL,
    ...Array.from({ length: 30 }, (_, index) => ({
      ...ofTask('buy'),
      agent: `an-agent-with-a-rather-long-name-${index}`,
    })),
    {
      ...ofTask('rent'),
      agent: 'other',
      failed_contract: { path: 'success', kind: 'dom_text', expected: 'x', observed: hostile },
    },
  ]);

  test.each([24, 40, 60, 80])('no line is wider than %i columns, or obeyed by a terminal', (columns) => {
    for (const line of firstScreen(report, columns)) {
      expect(widthOf(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });

  test('a wide terminal does not tear it apart, and many entrants do not fill it', () => {
    expect(firstScreen(report, 200)).toEqual(firstScreen(report, 80));
    expect(firstScreen(report)).toContain('and 17 more, which are in the report');
    expect(firstScreen(report).length).toBeLessThan(40);
  });
});

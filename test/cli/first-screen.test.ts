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

/** The lines beside and below the label. */
function claimLinesOf(report: ReturnType<typeof reportOf>): string[] {
  const lines = firstScreen(report)
    .join('\n')
    .split(/\n(?=\S|$)/m);
  return lines.filter((line) => line.startsWith('claims')).flatMap((line) => line.split('\n'));
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
  expect(lines.slice(8)).toEqual([
    expect.stringMatching(/^claims {9}none yet; \d+ reasons: /),
    expect.stringMatching(/^failures {7}1 × /),
    '               sell by model/aria: The page shows “Your cart”.',
  ]);
});

test('one task gives no interval, and then the legend explains none', () => {
  const lines = firstScreen(reportOf([{ ...PASSED, steps: 1 }]));
  expect(lines).toContain('● share that passed  · from 0 to 100 %; one task gives no 95 % interval');
  expect(lines.join('\n')).not.toContain('━');
  expect(lines.join('\n')).toContain('1 step ');
});

test('of claims there is one line, which counts the reasons against any and says the first', () => {
  const report = reportOf(SMALL);
  const against = report.claims.entrants.flatMap(({ aggregate }) => aggregate.reasons);
  const [line, ...others] = claimLinesOf(report);
  expect(others).toEqual([]);
  const [start, end] = [
    `none yet; ${new Set(against.map(({ code }) => code)).size} reasons: ${against[0]?.text}; …`,
    ' …',
  ];
  expect(line?.endsWith(end)).toBe(true);
  expect(widthOf(line ?? '')).toBeLessThanOrEqual(80);
  expect(start.startsWith((line ?? '').slice(15, -end.length))).toBe(true);
  expect(start.slice((line ?? '').length - 15 - end.length)).toMatch(/^[,;: ]/);
});

test('nobody is told to wait for a claim of commands, which can have no primary one', () => {
  const report = reportOf([{ ...ofTask('buy') }]);
  const saysOf = (agents: (typeof report)['agents']) => claimLinesOf({ ...report, agents }).join(' ');
  const mine = { agent: 'mine', decider: 'process' } as const;
  expect(saysOf([mine, { agent: 'null', decider: 'control' }])).toMatch(/^claims {9}none of a command; /);
  expect(saysOf([mine, { agent: 'model', decider: 'model' }])).toMatch(/^claims {9}none yet; /);
});

test('of an agent that is a command, the reason that is said is one that can be lifted', () => {
  const report = reportOf([
    { ...ofTask('buy'), decider: 'process', agent: 'mine', endpoint_kind: 'none', model_id: null },
  ]);
  const reasons = report.claims.entrants.flatMap(({ aggregate }) => aggregate.reasons);
  const first = reasons.findIndex(({ code }) => code === 'model_not_pinned');
  expect(first).toBeGreaterThanOrEqual(0);
  expect(claimLinesOf(report).join(' ')).not.toContain('no model decided');
});

test('one claim is said in full, and of several the first', () => {
  const report = reportOf(SMALL);
  const of = (headlines: string[]) => claimLinesOf({ ...report, headlines });
  expect(of(['a passed more than b.'])).toEqual(['claims         a passed more than b.']);
  expect(of(['a passed more than b.', 'second', 'third'])).toEqual([
    'claims         a passed more than b. (and 2 more)',
  ]);
});

test('a figure that may be published is not said to be none, though nobody is compared', () => {
  const { claims, ...report } = reportOf([{ ...ofTask('buy'), ...PASSED }]);
  const entrants = claims.entrants.map((each) => ({
    ...each,
    aggregate: { ...each.aggregate, grade: 'primary' as const, reasons: [] },
  }));
  expect(claimLinesOf({ ...report, claims: { ...claims, entrants } })).toEqual([
    'claims         none about who does better; primary: may be published as a result',
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

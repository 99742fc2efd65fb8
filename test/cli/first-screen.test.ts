import { describe, expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/finish-row.ts';
import type { RowDraft } from '../../src/bundle/row.ts';
import type { ReasonCode } from '../../src/claim/reasons.ts';
import { firstScreen } from '../../src/cli/first-screen.ts';
import { widthOf } from '../../src/cli/layout.ts';
import type { Fact } from '../../src/messages/message.ts';
import { fact } from '../../src/messages/messages.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';
import { drawnReport } from '../report/drawn-report.ts';

const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null, failure_category: null } as const;
const CONTROL = { agent: 'null', decider: 'control', mode: 'control', endpoint_kind: 'none' } as const;

function reportOf(
  rows: Partial<RowDraft>[],
  planned = rows.length,
  waiting: { agent: string; surface: string }[] = [],
) {
  const finished = rows.map((row, index) => finishRow({ ...SAMPLE, iteration: 0, ...row, plan_index: index }));
  const named = [...finished.map(({ agent, surface }) => ({ agent, surface })), ...waiting];
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
  expect(lines.slice(0, 9)).toEqual([
    'basics: model and null through aria',
    '1 January 2026 · 1 of 2 passed; controls 0 of 2 · chromium 156.0',
    '',
    'model/aria  ━━━━━━━━━━●━━━━━━━━━━  1 of 2  50 % (0–100)  4 steps  9.00 s',
    'controls and baselines, to compare with:',
    'null/aria   ●━━━━━━━━━━━━━·······  0 of 2    0 % (0–66)  4 steps  9.00 s',
    '● share passed  ━ its 95 % interval  · from 0 to 100 %',
    "medians: steps, and the entrant's own time (no start, no judging)",
    '',
  ]);
  expect(lines.slice(9)).toEqual([
    expect.stringMatching(/^claims {9}none yet; \d+ reasons$/),
    expect.stringMatching(/^failures {7}1 × /),
    '               sell by model/aria: The page shows “Your cart”.',
  ]);
});

test('one task gives no interval, and then the legend explains none', () => {
  const lines = firstScreen(reportOf([{ ...PASSED, steps: 1 }]));
  expect(lines).toContain('● share passed  · from 0 to 100 %');
  expect(lines).toContain('no interval: one task says nothing of others; its own is in the report');
  expect(firstScreen(reportOf(SMALL)).join('\n')).not.toContain('no interval');
  expect(lines.join('\n')).not.toContain('━');
  expect(lines.join('\n')).toContain('1 step ');
});

test('of claims there is one line, which counts the reasons against any and says the first where it fits whole', () => {
  const report = reportOf(SMALL);
  const startingWith = (reason: Fact<ReasonCode>) => {
    const entrants = report.claims.entrants.map((each) => ({
      ...each,
      aggregate: { ...each.aggregate, reasons: [reason, fact('no_clean_commit'), fact('not_verified')] },
    }));
    return claimLinesOf({ ...report, claims: { ...report.claims, entrants } });
  };
  expect(startingWith(fact('no_episodes'))).toEqual(['claims         none yet; 3 reasons: there are no episodes; …']);
  expect(startingWith(fact('harness_mode', { modes: 'a long word '.repeat(6) }))).toEqual([
    'claims         none yet; 3 reasons',
  ]);
});

test('of commands there is no claim to wait for, and the one line says why', () => {
  const report = reportOf([{ ...ofTask('buy') }]);
  const saysOf = (agents: (typeof report)['agents']) => claimLinesOf({ ...report, agents });
  const mine = { agent: 'mine', decider: 'process' } as const;
  expect(saysOf([mine, { agent: 'null', decider: 'control' }])).toEqual([
    expect.stringMatching(/^claims {9}none: a command's model, if any, cannot be pinned \(\d+ reasons\)$/),
  ]);
  expect(saysOf([mine, { agent: 'model', decider: 'model' }])).toEqual([
    expect.stringMatching(/^claims {9}none yet; /),
  ]);
});

test('of a run that was ended early is said who has not run, and not that nobody has', () => {
  const ran = [{ ...ofTask('buy'), ...PASSED }];
  expect(claimLinesOf(reportOf(ran, 2, [{ agent: 'null', surface: 'aria' }]))).toEqual([
    'claims         none: null/aria has not run yet',
  ]);
  expect(claimLinesOf(reportOf(ran, 5))).toEqual(['claims         none yet: 1 of 5 episodes ran']);
});

test('of a command beside a model, the reason that is said is one that can be lifted', () => {
  const report = reportOf([
    { ...ofTask('buy'), decider: 'process', agent: 'mine', endpoint_kind: 'none', model_id: null },
    { ...ofTask('buy') },
  ]);
  const reasons = report.claims.entrants.flatMap(({ aggregate }) => aggregate.reasons);
  expect(reasons.map(({ code }) => code)).toContain('model_not_pinned');
  expect(claimLinesOf(report).join(' ')).not.toContain('no model with a pinned id');
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

test('where no steps and times fit, nothing is said of medians', () => {
  const legend = (columns: number) => firstScreen(reportOf(SMALL), columns).join('\n');
  expect(legend(45)).not.toContain('medians');
  expect(legend(80)).toContain("\nmedians: steps, and the entrant's own time (no start, no judging)\n");
});

test('a dash is explained where there is one, and only there', () => {
  const unknown = { steps: null, null_reasons: { steps: 'nobody saw its calls' } };
  const legend = (edit: object) => firstScreen(reportOf([{ ...ofTask('buy'), ...edit }])).join('\n');
  expect(legend(unknown)).toContain('(no start, no judging); – not known\n');
  expect(legend({})).not.toContain('not known');
});

test('no mark is explained that is not there', () => {
  const unavailable = {
    status: 'unavailable',
    stop: null,
    mode: 'skip',
    declared_done: false,
    steps: null,
    null_reasons: { steps: 'it is not installed' },
  } as const;
  const lines = firstScreen(reportOf([{ ...ofTask('buy'), ...unavailable }]));
  expect(lines.join('\n')).not.toContain('●');
});

test('of a task that is done at its start the cause comes first and whole, and no solution is pointed to', () => {
  const detail = 'success is already true at the start';
  const invalid = { status: 'invalid_task', stop: 'invalid_task', declared_done: false, detail } as const;
  const own = { agent: 'reference', decider: 'reference', mode: 'scripted', failure_category: 'infra' } as const;
  const report = reportOf([{ ...ofTask('buy'), ...invalid, ...own }]);
  const places = new Map(report.episodes.map(({ episode_id: id }) => [id, 'tasks/buy.yaml:6 success']));
  const text = firstScreen(report, 80, { places }).join('\n');
  expect(text).toContain('buy by reference/aria: Success is already true at the start.');
  expect(text).toContain('see tasks/buy.yaml:6 success');
  expect(text).not.toContain('or the solution');
  const failed = firstScreen(reportOf([{ ...ofTask('buy'), agent: 'reference' }]), 80, { places }).join('\n');
  expect(failed).toContain('see tasks/buy.yaml:6 success, or the solution');
});

test('of a long failure three lines are shown, and its cause is in them', () => {
  const detail = `cannot choose "combobox" "The colour of the whole": the surface does not show it`;
  const own = { agent: 'reference', decider: 'reference', mode: 'scripted', failure_category: 'agent_error' } as const;
  const broken = { status: 'agent_error', stop: 'agent_error', declared_done: false, detail } as const;
  const text = firstScreen(reportOf([{ ...ofTask('choose-the-colour-of-the-house'), ...own, ...broken }])).join(' ');
  expect(text.replaceAll(/ +/g, ' ')).toContain(
    'Cannot choose "combobox" "The colour of the whole": the surface does not show it.',
  );
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

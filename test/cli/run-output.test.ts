import { expect, test } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { claimLines, firstScreen, type Hints } from '../../src/cli/first-screen.ts';
import { printSummary, type RunBundle } from '../../src/cli/run-summary.ts';
import { fact } from '../../src/messages/messages.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';
import { drawnReport } from '../report/drawn-report.ts';

import { terminalOf } from './terminal-of.ts';
import { textsOf } from './texts-of.ts';

type Report = ReturnType<typeof drawnReport>;

const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null, failure_category: null } as const;
const CONTROL = { agent: 'null', decider: 'control', mode: 'control', endpoint_kind: 'none' } as const;
const REFERENCE = { agent: 'reference', decider: 'reference', mode: 'scripted', endpoint_kind: 'none' } as const;
const COMMAND = { agent: 'mine', decider: 'process', endpoint_kind: 'none', model_id: null } as const;
const STOPPED = { status: 'agent_error', stop: 'agent_error', declared_done: false } as const;
const [BUY, SELL] = [ofTask('buy'), ofTask('sell')];

function reportOf(
  rows: Partial<Row>[],
  planned = rows.length,
  waiting: { agent: string; surface: string }[] = [],
): Report {
  const finished = rows.map((row, index) => finishRow({ ...SAMPLE, iteration: 0, ...row, plan_index: index }));
  const named = [...finished.map(({ agent, surface }) => ({ agent, surface })), ...waiting];
  return drawnReport(planned, finished, [
    ...new Map(named.map((each) => [`${each.agent} ${each.surface}`, each])).values(),
  ]);
}

const SMALL = [{ ...BUY, ...PASSED }, SELL, { ...BUY, ...CONTROL }, { ...SELL, ...CONTROL }];

/** The report of {@link SMALL}, in which this is decided about every entrant. */
function decided(aggregate: object): Report {
  const report = reportOf(SMALL);
  const entrants = report.claims.entrants.map((each) => ({
    ...each,
    aggregate: { ...each.aggregate, ...aggregate },
  }));
  return { ...report, claims: { ...report.claims, entrants } };
}

test('the first screen of a report', async () => {
  const whole = { ...BUY, ...REFERENCE };
  const atStart = reportOf([
    {
      ...whole,
      status: 'invalid_task',
      stop: 'invalid_task',
      declared_done: false,
      failure_category: 'infra',
      detail: 'success is already true at the start',
    },
  ]);
  const own = reportOf([whole]);
  const guard = { path: 'guards', kind: 'unchanged', expected: 'the app state is unchanged' };
  const observed = '/users/1/last_seen';
  const broken = reportOf([{ ...whole, failed_contract: { ...guard, observed } }]);
  const seen = { place: '/users/[id=2]/last_seen', how: 'changed', from: '1', to: '2' } as const;
  const hintsFor = ({ episodes: [line] }: Report, step?: string): Hints => ({
    places: new Map([[line?.episode_id ?? '', 'tasks/buy.yaml:6 success']]),
    failedSteps: new Map(step === undefined ? [] : [[line?.episode_id ?? '', step]]),
  });
  const unmeasured = (why: string) => ({ steps: null, null_reasons: { steps: why } });
  const unavailable = {
    ...unmeasured('it is not installed'),
    status: 'unavailable',
    stop: null,
    mode: 'skip',
    declared_done: false,
  } as const;
  const long = 'cannot choose "combobox" "The colour of the whole": the surface does not show it';
  await expect(
    textsOf({
      'a model that passes one of two tasks, and a control': firstScreen(reportOf(SMALL)),
      'the same in 45 columns': firstScreen(reportOf(SMALL), 45),
      'the same with --verbose': firstScreen(reportOf(SMALL), 80, { verbose: true }),
      'with a baseline that passes, and --verbose': firstScreen(
        reportOf([...SMALL, { ...BUY, ...CONTROL, agent: 'keyword', decider: 'baseline', ...PASSED }]),
        80,
        { verbose: true },
      ),
      'one task, passed in one step': firstScreen(reportOf([{ ...BUY, ...PASSED, steps: 1 }])),
      'a failed control alone has no failure': firstScreen(
        reportOf([
          { ...BUY, ...PASSED },
          { ...SELL, ...CONTROL },
        ]),
      ),
      'unknown steps': firstScreen(reportOf([{ ...BUY, ...unmeasured('its calls were not observed') }])),
      'a surface that is not available': firstScreen(reportOf([{ ...BUY, ...unavailable }])),
      'a task that is done at its start': firstScreen(atStart, 80, hintsFor(atStart)),
      'a failed solution': firstScreen(own, 80, hintsFor(own)),
      'a failed solution with a failed step': firstScreen(
        own,
        80,
        hintsFor(own, 'step 1 of the solution failed: there is no option "Gray"'),
      ),
      'a solution whose guard does not hold': firstScreen(broken, 80, {
        ...hintsFor(broken),
        changes: new Map([[broken.episodes[0]?.episode_id ?? '', [seen]]]),
      }),
      'a long failure': firstScreen(
        reportOf([
          {
            ...ofTask('choose-the-colour-of-the-house'),
            ...REFERENCE,
            ...STOPPED,
            failure_category: 'agent_error',
            detail: long,
          },
        ]),
      ),
      'ended before an entrant ran': claimLines(
        reportOf([{ ...BUY, ...PASSED }], 2, [{ agent: 'null', surface: 'aria' }]),
      ),
      'ended before every episode ran': claimLines(reportOf([{ ...BUY, ...PASSED }], 5)),
      'a command': claimLines({ ...own, agents: [{ agent: 'mine', decider: 'process' }] }),
      'a command and a model: the reason given is one that can be lifted': claimLines(
        reportOf([{ ...BUY, ...COMMAND }, BUY]),
      ),
      'a first reason that fits': claimLines(decided({ reasons: [fact('no_episodes'), fact('not_verified')] })),
      'a first reason that does not fit': claimLines(
        decided({ reasons: [fact('harness_mode', { modes: 'a long word '.repeat(6) }), fact('not_verified')] }),
      ),
      'one claim': claimLines({ ...reportOf(SMALL), headlines: ['a passed more than b.'] }),
      'three claims': claimLines({ ...reportOf(SMALL), headlines: ['a passed more than b.', 'second', 'third'] }),
      'a primary figure without a comparison': claimLines(decided({ grade: 'primary', reasons: [] })),
    }),
  ).toMatchFileSnapshot('golden/first-screens.txt');
});

const BUNDLE: RunBundle = {
  folder: 'b',
  suiteNames: ['./mine'],
  entrantFiles: { agents: [], surfaces: [] },
  backgroundRequests: { 'update.example': 3 },
  proofs: '0 of 2 tasks qualify; no proof yet of read-heading, send-form: touchstone qualify ./mine',
  baseline: null,
  pause: null,
};

test('the summary of a run', async () => {
  const summary = (
    report: Report,
    {
      columns = 80,
      command = 'npx touchstone',
      ...bundle
    }: Partial<RunBundle> & { columns?: number | null; command?: string } = {},
  ): string[] => {
    const { terminal, out } = terminalOf(columns);
    printSummary(report, { ...BUNDLE, ...bundle }, { ...terminal, command });
    return out();
  };
  const passed = reportOf([{ ...PASSED, ...REFERENCE }]);
  const usual = summary(passed);
  /** The lines below the first screen that are not in the summary of {@link passed}. */
  const changed = (...args: Parameters<typeof summary>): string[] => {
    const lines = summary(...args);
    return lines.slice(lines.findIndex((line) => line.startsWith('gates'))).filter((line) => !usual.includes(line));
  };
  const prices = { cost_usd: null, price_table: null };
  const noReasons = (...fields: string[]) => ({
    null_reasons: Object.fromEntries(fields.map((name) => [name, 'none'])),
  });
  const priced = { ...PASSED, tokens_in: 1, tokens_out: 2, cost_usd: 0.5, price_table: 'ours 2026' };
  const unpriced = { ...PASSED, ...prices, tokens_in: 1_000, tokens_out: 200, ...noReasons('cost_usd', 'price_table') };
  const uncounted = {
    ...PASSED,
    ...prices,
    tokens_in: null,
    tokens_out: null,
    ...noReasons('cost_usd', 'price_table', 'tokens_in', 'tokens_out'),
  };
  const isolated = (by: 'none' | 'user' | 'bubblewrap', network: 'shared' | 'gateway') =>
    reportOf([{ ...PASSED, process_isolation: { by, network } }]);
  await expect(
    textsOf({
      'all passed, in a terminal': usual,
      'all passed, with --verbose': summary(passed, { verbose: true, tookMs: 108_000 }),
      'one of two tasks failed': summary(reportOf(SMALL), { tookMs: 108_000 }),
      'all passed, in a pipe': changed(passed, { columns: null }),
      'one failure of its task': changed(reportOf([{ ...PASSED, task: 'other' }, {}])),
      'one failure among several of its task': changed(reportOf([PASSED, { iteration: 1 }])),
      'a claim': changed({ ...passed, headlines: ['a passed more than b.'] }),
      'processes that nothing isolates': changed(isolated('none', 'shared'), { verbose: true }),
      'processes of another user, in a pipe': changed(isolated('user', 'shared'), { columns: null, verbose: true }),
      'models at a known and at an unknown price': changed(reportOf([priced, unpriced, unpriced])),
      'a model whose tokens are not known': changed(reportOf([uncounted])),
      'a long name of the program': changed(passed, { command: 'npm run a-script-with-a-name-that-is-rather-long --' }),
      'not complete': changed(reportOf([PASSED], 2)),
      'nothing ran': summary(reportOf([], 3)),
      'a pause': changed(passed, { pause: { cause: 'budget', why: '2 of 2 USD are spent' } }),
      'a baseline that is not met': changed(passed, {
        baseline: { met: false, expected: 2, passed: 1, problems: ['a: failed'], advice: 'record it again' },
      }),
    }),
  ).toMatchFileSnapshot('golden/run-summaries.txt');
});

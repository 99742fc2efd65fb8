import path from 'node:path';
import { expect, test } from 'vitest';
import { finishRow } from '../../src/bundle/finish-row.ts';
import type { RowDraft } from '../../src/bundle/row.ts';
import { gatesOf } from '../../src/cli/gates.ts';
import { printSummary, type RunBundle } from '../../src/cli/run-summary.ts';
import { drawnReport } from '../report/drawn-report.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { terminalOf } from './terminal-of.ts';

const FAILED = { agent: 'reference', decider: 'reference', mode: 'scripted', endpoint_kind: 'none' } as const;
const PASSED = { ...FAILED, status: 'passed', goal_verdict: 'pass', failed_contract: null } as const;
const CONTROL = { ...FAILED, agent: 'null', decider: 'control', mode: 'control' } as const;
const CONTROL_PASSED = { ...PASSED, agent: 'null', decider: 'control', mode: 'control' } as const;

function reportOf(rows: Partial<RowDraft>[], planned = rows.length) {
  const finished = rows.map((row, index) => finishRow({ ...SAMPLE, ...row, plan_index: index }));
  return drawnReport(planned, finished);
}

const BUNDLE: RunBundle = {
  folder: 'b',
  suiteNames: ['./mine'],
  entrantFiles: { agents: [], surfaces: [] },
  backgroundRequests: {},
  proofs: '1 of 1 task qualifies',
  baseline: null,
  pause: null,
};

function printed(report: ReturnType<typeof reportOf>, command = 'touchstone'): string[] {
  const lines: string[] = [];
  const terminal = { out: (line: string) => lines.push(line), note: () => {}, command };
  printSummary(report, BUNDLE, terminal);
  return lines;
}

test('the gates are met when all that are no controls passed, and the controls did not', () => {
  expect(gatesOf(reportOf([PASSED, CONTROL]))).toEqual({ exit: 0, words: 'all met' });
});

test('they are not met when an agent did not pass, or a control did', () => {
  expect(gatesOf(reportOf([PASSED, FAILED, CONTROL]))).toEqual({
    exit: 1,
    words: 'not met: reference/aria passed 1 of 2 episodes',
  });
  expect(gatesOf(reportOf([PASSED, CONTROL_PASSED]))).toEqual({
    exit: 1,
    words: 'not met: the control null/aria passed 1 episode, but must pass none',
  });
});

test('a keyless baseline has no duty to pass, but to run', () => {
  const keyword = { ...FAILED, agent: 'keyword', decider: 'baseline', mode: 'control' } as const;
  expect(gatesOf(reportOf([PASSED, keyword]))).toEqual({ exit: 0, words: 'all met' });
  expect(gatesOf(reportOf([{ ...FAILED, agent: 'mine' }]))).toMatchObject({ exit: 1 });
});

test.each(['null', 'parrot', 'quitter', 'teleport', 'random'])('the control %s must pass nothing', (agent) => {
  const failed = { ...CONTROL, agent };
  expect(gatesOf(reportOf([PASSED, failed]))).toEqual({ exit: 0, words: 'all met' });
  expect(gatesOf(reportOf([PASSED, { ...CONTROL_PASSED, agent }]))).toEqual({
    exit: 1,
    words: `not met: the control ${agent}/aria passed 1 episode, but must pass none`,
  });
});

test('a baseline that is not met is a gate that is not met', () => {
  const baseline = { met: false, expected: 2, passed: 1, problems: ['a: failed'], advice: null };
  expect(gatesOf(reportOf([PASSED]), baseline)).toEqual({ exit: 1, words: 'not met: 1 task of the baseline' });
  expect(gatesOf(reportOf([PASSED]), { ...baseline, problems: [] })).toEqual({ exit: 0, words: 'all met' });
});

test('they are open while episodes are missing or have no result', () => {
  expect(gatesOf(reportOf([PASSED], 2))).toMatchObject({ exit: 3, words: 'open: the campaign is not complete' });
  const broken = { ...FAILED, status: 'infra_error', stop: 'infra_error', declared_done: false } as const;
  expect(gatesOf(reportOf([PASSED, broken]))).toMatchObject({
    exit: 3,
    words: 'open: 1 episode has no result (infra_error)',
  });
});

test('what models cost is said, and of a model without a known price its tokens', () => {
  const priced = { ...PASSED, tokens_in: 1, tokens_out: 2, cost_usd: 0.5, price_table: 'ours 2026' };
  const without = (...fields: string[]) => ({
    null_reasons: { ...SAMPLE.null_reasons, ...Object.fromEntries(fields.map((name) => [name, 'none'])) },
  });
  const prices = { cost_usd: null, price_table: null };
  const unpriced = { ...PASSED, ...prices, tokens_in: 1_000, tokens_out: 200, ...without('cost_usd', 'price_table') };
  const untold = { ...PASSED, ...prices, tokens_in: null, tokens_out: null };
  const reasons = without('cost_usd', 'price_table', 'tokens_in', 'tokens_out');
  const costs = (rows: Partial<RowDraft>[]) => printed(reportOf(rows)).filter((line) => line.startsWith('cost'));
  expect(costs([priced, unpriced, unpriced])).toEqual([
    'cost           0.50000 USD by the prices of ours 2026',
    'cost           no price known: 2400 tokens',
  ]);
  expect(costs([{ ...untold, ...reasons }])).toEqual([]);
});

test.each([
  [
    'who says why, where nothing kept it apart',
    { by: 'none', network: 'shared' },
    'none, network shared (diagnostic: the agent could read the files of the machine); "npx touchstone doctor" says why, and what helps',
  ],
  [
    'who says why, where it was but another user',
    { by: 'user', network: 'shared' },
    'user, network shared (diagnostic: the agent could reach the network of this machine, and the apps past the browser); "npx touchstone doctor" says why, and what helps',
  ],
  ['no more, where it was in a sandbox', { by: 'bubblewrap', network: 'gateway' }, 'bubblewrap, network gateway'],
] as const)('of how a process was kept apart is said %s', (_, isolation, text) => {
  const lines = printed(reportOf([{ ...FAILED, process_isolation: isolation }]), 'npx touchstone');
  expect(lines.filter((line) => line.startsWith('kept apart'))).toEqual([`kept apart     ${text}`]);
});

/** Lines at the end of a run of a task without a proof, whose agent nothing kept apart. */
function saidOn(columns: number | null): string[] {
  const { terminal, out } = terminalOf(columns);
  const report = reportOf([{ ...FAILED, process_isolation: { by: 'none', network: 'shared' } }]);
  const proofs = '0 of 2 tasks qualify; no proof yet of read-heading, send-form: touchstone qualify ./mine';
  printSummary(report, { ...BUNDLE, proofs }, terminal);
  return out();
}

test('in a terminal, proofs and how a process was kept apart are broken to its width', () => {
  const lines = saidOn(80);
  expect(lines.slice(lines.findIndex((line) => line.startsWith('proofs'))).slice(0, 5)).toEqual([
    'proofs         0 of 2 tasks qualify; no proof yet of read-heading, send-form:',
    '               npm run touchstone -- qualify ./mine',
    'kept apart     none, network shared (diagnostic: the agent could read the files',
    '               of the machine); "npm run touchstone -- doctor" says why, and',
    '               what helps',
  ]);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('in a pipe each of them is one line', () => {
  const lines = saidOn(null);
  expect(lines).toContainEqual(expect.stringMatching(/^proofs {9}0 of 2 .* qualify \.\/mine$/));
  expect(lines).toContainEqual(expect.stringMatching(/^kept apart {5}none, .* says why, and what helps$/));
});

test('the last line of a run says whether they are met, or how to finish it', () => {
  const lines = (planned: number) => printed(reportOf([PASSED], planned));
  expect(lines(1).at(-1)).toBe('gates          all met');
  expect(lines(2).at(-1)).toBe('not complete   finish it with: touchstone run --resume b ./mine');
});

test('the report that is named is the one to look at: the page', () => {
  expect(printed(reportOf([PASSED]))).toContain(`report         ${path.join('b', 'report.html')}`);
});

test('what to do next is said, in words of a shell', () => {
  const failed = printed(reportOf([{ ...PASSED, task: 'other' }, FAILED]));
  expect(failed).toContain('look at it     touchstone show b --serve');
  expect(failed).toContain('one failure    touchstone show b checkout');
  expect(failed).toContain('why no claim   touchstone show b --claims');
  expect(failed).toContain('check it       touchstone verify b');
  expect(printed(reportOf([PASSED])).filter((line) => line.startsWith('one failure'))).toEqual([]);
});

test('where something may be claimed, the same command says what', () => {
  const lines = printed({ ...reportOf([PASSED]), headlines: ['a passed more than b.'] });
  expect(lines).toContain('its claims     touchstone show b --claims');
  expect(lines.filter((line) => line.startsWith('why no claim'))).toEqual([]);
});

test('a command that is too wide beside its label is below it, and whole', () => {
  const command = 'npm run a-script-with-a-name-that-is-rather-long --';
  const lines = printed(reportOf([PASSED]), command);
  expect(lines.slice(lines.indexOf('why no claim')).slice(0, 3)).toEqual([
    'why no claim',
    `  ${command} show b --claims`,
    expect.stringMatching(/^check it/),
  ]);
});

test('one failure among several episodes of its task is named by its id', () => {
  const [, failed] = reportOf([PASSED, FAILED]).episodes;
  const lines = printed(reportOf([PASSED, FAILED]));
  expect(lines).toContain(`one failure    touchstone show b ${failed?.episode_id.slice(0, 8)}`);
});

test('where no episode has run there are no figures, and how to go on is said', () => {
  expect(printed(reportOf([], 3))).toEqual([
    '',
    'no episode has run',
    'gates          open: the campaign is not complete',
    expect.stringContaining('not complete   finish it with: touchstone run --resume b'),
  ]);
});

import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { boundsText } from '../../src/cli/spending.ts';
import type { CampaignProgress } from '../../src/cli/live/progress.ts';
import { progressLines, progressSentence } from '../../src/cli/live/progress-display.ts';
import { modelSetup } from '../../src/cli/model-setup.ts';
import { ProgressPrinter } from '../../src/cli/progress-printer.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import { Fault } from '../../src/fault/schema.ts';
import { Entrants, isFileName } from '../../src/plan/entrants.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { clusteredProportion } from '../../src/stats/proportion.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { plannedEpisode, SMALL_PLAN } from '../plan/sample-plan.ts';

import { MIDDLE } from './sample-progress.ts';
import { textsOf } from './texts-of.ts';
import { CALL, RESULT } from '../episode/sample-events.ts';

const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null, failure_category: null } as const;
const CONTROL = { agent: 'null', decider: 'control', mode: 'control', endpoint_kind: 'none' } as const;
const STOPPED = { status: 'agent_error', stop: 'agent_error', declared_done: false } as const;

function lines(
  act: (printer: ProgressPrinter) => void,
  plan: Partial<Plan> = {},
  verbose = false,
  bounds?: string,
): string[] {
  const printed: string[] = [];
  const note = (line: string) => printed.push(line);
  act(
    new ProgressPrinter(
      { out: note, note },
      { verbose, plan: { ...SMALL_PLAN, ...plan }, ...(bounds === undefined ? {} : { bounds }) },
    ),
  );
  return printed;
}

test('the progress of a run', async () => {
  const ends = (rows: Partial<Row>[], plan: Partial<Plan> = {}) =>
    lines((printer) => {
      for (const row of rows) printer.finished(finishRow({ ...SAMPLE, ...row }));
    }, plan);
  const observed = (preview: string) => ({
    failed_contract: { path: 'success', kind: 'answer', expected: 'x', observed: { preview, length: 1 } },
    last_tool_call: null,
    self_reported: null,
  });
  const call: EpisodeEvent = { ...CALL, step: 2, args: { ref: 'e5' }, written_step: 1 };
  const result = (ok: boolean): EpisodeEvent => ({ ...RESULT, step: 2, ok, kind: 'not_found' });
  const failedStep = (agent: string, ok: boolean) =>
    lines((printer) => {
      for (const event of [call, result(ok)]) printer.event({ ...plannedEpisode(0), agent }, event);
    });
  const fault = { id: 'lost', kind: 'drop' } as const;
  const [planned] = SMALL_PLAN.tasks;
  if (planned === undefined) throw new Error('the plan has no task');
  const struck = {
    surface: 'playwright-mcp',
    faults: [{ ...fault, armed: true, fired: true, cleared: true }],
    recovered: false,
  };
  await expect(
    textsOf({
      planned: lines((printer) => printer.planned(2, 0)),
      'planned, with bounds': lines((printer) => printer.planned(2, 0), {}, false, 'costs nothing'),
      'planned, with long bounds': lines(
        (printer) => printer.planned(2, 0),
        {},
        false,
        'a price that is not known. '.repeat(3),
      ),
      resumed: lines((printer) => printer.planned(2, 1), {}, false, 'costs nothing'),
      'several at once': lines((printer) => printer.planned(9, 0, 4, 'this machine has 2 cores')),
      'one left, one at a time': lines((printer) => printer.planned(9, 8, 1, 'too few episodes for more')),
      'a failure': ends([{}]),
      'a pass': ends([PASSED]),
      'an instance': ends([{ ...PASSED, instance: 'pears' }]),
      'a control that fails': ends([CONTROL]),
      'iterations, each reason once per entrant': ends(
        [
          { iteration: 0, ...observed('y') },
          { iteration: 1, ...observed('y') },
          { iteration: 2, ...observed('z') },
          { iteration: 3, ...observed('z') },
          { iteration: 0, ...observed('z'), agent: 'other' },
        ],
        { iterations: 4 },
      ),
      'an agent that stopped': ends([
        { ...STOPPED, ...observed('Your "cart"'), detail: 'cannot click "button" "X": the surface does not show it' },
      ]),
      'columns line up, with the planned fault': ends(
        [
          { ...PASSED, task: planned.task.id },
          { ...struck, task: planned.task.id },
        ],
        {
          tasks: [planned, { ...planned, fault: Fault.parse(fault) }],
          entrants: [
            { agent: 'model', surface: 'aria' },
            { agent: 'model', surface: 'playwright-mcp' },
          ],
        },
      ),
      'a failed step of the solution': failedStep('reference', false),
      'a successful step of the solution': failedStep('reference', true),
      'a failed step of another agent': failedStep('null', false),
    }),
  ).toMatchFileSnapshot('golden/progress.txt');
});

test.each([
  [1, /^ {2}(?!sample: )\S/],
  [2, /^ {2}sample: \S/],
])('with verbose, events of %i at once have the line %s', (workers, line) => {
  const [, event] = lines(
    (printer) => {
      printer.planned(2, 0, workers);
      printer.event(plannedEpisode(0), { ...CALL, step: 2 });
    },
    {},
    true,
  );
  expect(event).toMatch(line);
});

test('the bounds of cost and time of a plan', async () => {
  const boundsOf = async (
    agents: string[],
    more: { maxUsd?: number; shard?: { index: number; of: number } } = {},
    environment = {},
  ) => {
    const entrants = await Entrants.load({ agents: agents.filter(isFileName) }, modelSetup(agents, {}, environment));
    const [planned] = SMALL_PLAN.tasks;
    const tasks = planned === undefined ? [] : [{ ...planned, task: { ...planned.task, maxDurationMs: 120_000 } }];
    const pairs = agents.map((agent) => ({ agent: entrants.agent(agent).id, surface: 'aria' }));
    const plan: Plan = { ...SMALL_PLAN, tasks, entrants: pairs, iterations: 10 };
    return [boundsText({ plan, entrants, maxUsd: more.maxUsd ?? null, shard: more.shard }) ?? '(none)'];
  };
  await expect(
    textsOf({
      'agents that follow a script': await boundsOf(['null', 'reference']),
      'a command': await boundsOf(['null', 'examples/exec/agent.mjs']),
      'a model': await boundsOf(['null', 'claude-sonnet-4-6']),
      'a model under --max-usd': await boundsOf(['null', 'claude-sonnet-4-6'], { maxUsd: 0.5 }),
      'a model without a known price': await boundsOf(
        ['openai-compatible:qwen3'],
        {},
        { OPENAI_COMPATIBLE_BASE_URL: 'https://llm.example/v1' },
      ),
      'a part of a plan': await boundsOf(['null'], { shard: { index: 1, of: 2 } }),
    }),
  ).toMatchFileSnapshot('golden/bounds.txt');
});

test('the live progress of a run, by the size of the terminal', async () => {
  const drawn = (columns: number, progress: Partial<CampaignProgress> = {}, rows = 24): string[] =>
    progressLines({ ...MIDDLE, ...progress }, { columns, rows }).map(stripVTControlCharacters);
  const [worker] = MIDDLE.atWork;
  const crowd = Array.from({ length: 32 }, (_, index) =>
    worker === undefined ? [] : [{ ...worker, worker: index + 1 }],
  );
  const success = clusteredProportion([]);
  const phase = { phase: 'trying the worlds', phaseMs: 3_400, total: 0, done: 0 };
  await expect(
    textsOf({
      '120 columns': drawn(120),
      '99 columns': drawn(99),
      '30 columns': drawn(30),
      '32 workers in 24 rows': drawn(120, { atWork: crowd.flat() }),
      '32 workers in 8 rows': drawn(120, { atWork: crowd.flat() }, 8),
      '32 workers in 99 columns': drawn(99, { atWork: crowd.flat() }),
      'nothing is known yet': drawn(80, { done: 0, success, perMinute: null, leftMs: null, usd: null, atWork: [] }),
      'no time is left': drawn(80, { leftMs: 0 }),
      'one task, so no interval': drawn(80, { success: clusteredProportion([{ successes: 1, trials: 2 }]) }),
      'tokens without a price': drawn(99, { usd: null, unpricedTokens: 12_345, atWork: [] }),
      'before the first episode': drawn(80, phase),
      'in a log': [progressSentence(MIDDLE)],
      'in a log, after the last episode': [
        progressSentence({ ...MIDDLE, phase: 'closing the bundle', phaseMs: 1_000 }),
      ],
    }),
  ).toMatchFileSnapshot('golden/live-progress.txt');
});

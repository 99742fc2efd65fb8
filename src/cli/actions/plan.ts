import { AgentError } from '../../agent/agent.ts';
import { impossibleCell, withSuites } from '../../run/cell-agents.ts';
import { episodeCount, episodesOf, type PlannedTask, planHash } from '../../plan/plan.ts';
import type { Claims } from '../../claim/claims.ts';
import { clusterIn, groupBy, type JudgedRow } from '../../claim/group.ts';
import { messageFor, remedyOf } from '../../messages/messages.ts';
import { smallestBetween } from '../../claim/smallest-shown.ts';
import { plannedCaps } from '../../plan/cell-caps.ts';
import { nameWithFaults, taskName } from '../../task/instance.ts';
import { estimateFrom, type CostEstimate, mostTime, mostUsd, plannedSpending } from '../spending.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { canClaim, decisionsIn, previewClaims, previewLines, previewSum } from '../claim-preview.ts';
import type { ProcessIsolation } from '../../process/sandbox/launch.ts';
import { previewIsolation } from '../isolation-preview.ts';
import { newPlan, type Planned } from '../planning.ts';
import { counted, durationText, dollarsText, timesText, percent } from '../../report/numbers.ts';
import { tableOf } from '../terminal-sections.ts';
import { asTyped, type Terminal } from '../terminal.ts';
import { readBundle } from '../bundles.ts';
import type { Request } from '../command.ts';
import type { PlanOptions } from '../commands/run.ts';
import { refuseAny, workerProblems } from '../checks.ts';
import { workersFor } from '../planned-run.ts';
import { needsOf, whyThatMany, workerCount, type Workers } from '../../run/worker-count.ts';
import { type Column, ENTRANT_AGAIN } from '../../report/document.ts';

export async function plan(request: Request<PlanOptions>, terminal: Terminal): Promise<ExitCode> {
  const made = await newPlan(request, terminal);
  const { plan: planned, entrants } = made;
  const { basis, json } = request.options;
  const earlier = basis === undefined ? null : { basis, rows: (await readBundle(basis)).rows };
  const estimate = earlier === null ? null : { basis: earlier.basis, ...estimateFrom(earlier.rows, planned, entrants) };
  const { asked, isTimed, workers } = workersFor(request, made);
  refuseAny(workerProblems({ suites: made.suites, asked, isTimed, hasQueue: false }));
  const claims = await previewClaims(made, { isOurs: true, workers });
  const forecast = forecastOf({ ...made, workers }, claims, estimate);
  const atOnce = atOnceHere({ ...made, workers });
  if (json) terminal.out(JSON.stringify(forecast));
  else printForecast(forecast, claims, { unfolds: request.options.claims, atOnce }, terminal);
  return EXIT.done;
}

type Forecast = ReturnType<typeof forecastOf>;

/** The output of `--json`. */
function forecastOf(
  made: Planned & { workers: Workers },
  claims: Claims,
  estimate: (CostEstimate & { basis: string }) | null,
) {
  const { plan: planned, entrants } = made;
  const { tasks, iterations, seed } = planned;
  const spending = plannedSpending(planned, entrants);
  const asksModel = planned.entrants.some(({ agent }) => entrants.agent(agent).decider === 'model');
  return {
    cost: {
      basis: 'caps',
      most_usd: mostUsd(spending, made.maxUsd),
      max_usd: made.maxUsd,
      paid_episodes: spending.episodes,
      unpriced_episodes: spending.unpriced,
    },
    time: { basis: 'caps', most_ms: mostTime(planned, entrants) },
    estimate,
    kept_apart: keptApart(made),
    not_ready: notReady(made),
    smallest_detectable: smallestOf(made),
    can_claim: canClaim(claims),
    claims: decisionsIn(claims).map(({ question, grade, reasons }) => ({
      ...question,
      grade,
      reasons: reasons.map((reason) => ({ ...reason, text: messageFor(reason), remedy: remedyOf(reason) })),
    })),
    plan_hash: planHash(planned),
    cells: tasks.length * planned.entrants.length,
    iterations,
    episodes: episodeCount(planned),
    order: { by: 'iteration, then task', entrants_shuffled_by_seed: seed, at_a_time: made.workers },
    tasks: tasks.map(({ suite, task, fault }) => {
      const { steps, wall_ms } = plannedCaps(planned, task, { asksModel });
      const { turns } = plannedCaps(planned, task, { asksModel: true });
      return { suite, task: taskName(task), fault: fault?.id ?? null, steps, turns, wall_ms };
    }),
    entrants: planned.entrants.map(({ agent, surface }) => {
      const { decider, model, ends } = entrants.agent(agent);
      return { agent, surface, decider, model: model ?? null, ends: ends ?? null };
    }),
    in_order: episodesOf(planned).map(({ episodeId, iteration, planned: { suite, task, fault }, agent, surface }) => ({
      episode_id: episodeId,
      iteration,
      suite,
      task: taskName(task),
      fault: fault?.id ?? null,
      agent,
      surface,
    })),
  };
}

/** Returns why a run would be refused before its first episode, such as a missing key: one sentence for each agent. */
function notReady({ plan: planned, entrants }: Planned): string[] {
  return [...new Set(planned.entrants.map(({ agent }) => agent))].flatMap((agent) => {
    try {
      entrants.agent(agent).assertReady?.();
      return [];
    } catch (error) {
      if (error instanceof AgentError) return [error.message];
      throw error;
    }
  });
}

function keptApart(made: Planned): { by: ProcessIsolation['by']; text: string } | null {
  const preview = previewIsolation(made, 'bundles');
  return preview === null ? null : { by: preview.by, text: preview.text };
}

/**
 * Returns the smallest difference of success rates that the plan can show between entrants that can run the same tasks. Episodes
 * with faults do not count as repetitions.
 */
function smallestOf({ plan: { tasks, entrants: planned, iterations }, suites, entrants }: Planned): number | null {
  const faultFree = withSuites(
    tasks.flatMap((each) => (each.fault === undefined ? [{ planned: each }] : [])),
    suites,
  );
  const clusterOf = clusterIn(faultFree.map(({ planned: each }) => judgedOf(each)));
  return smallestBetween(
    planned.map((entrant) => {
      const able = faultFree.filter(
        ({ planned: each, whole }) => impossibleCell({ planned: each, ...entrant }, entrants, whole) === null,
      );
      const byTask = groupBy(able, ({ planned: each }) => clusterOf(judgedOf(each)));
      return new Map([...byTask].map(([task, own]) => [task, own.length * iterations]));
    }),
  );
}

function judgedOf({ suite, task, contract_hash }: PlannedTask): JudgedRow {
  return { suite, task: task.id, contract_hash };
}

/** @param how whether each reason against a claim is listed, and how many episodes run at once here */
function printForecast(
  forecast: Forecast,
  claims: Claims,
  { unfolds, atOnce }: { unfolds: boolean; atOnce: string | null },
  terminal: Terminal,
): void {
  const { cost, time, estimate, order } = forecast;
  terminal.out(`cost        ${costText(cost)}`);
  terminal.out(`time        at most ${durationText(time.most_ms)}, by the caps of the entrants’ own time`);
  const { kept_apart: isolation } = forecast;
  if (isolation !== null) terminal.out(`isolation   ${asTyped(isolation.text, terminal)}`);
  for (const why of forecast.not_ready) terminal.out(`not ready   ${why}; a run would be refused`);
  if (estimate !== null) {
    const { basis, cells, measured_cells: measured, time_ms: ms, cost_usd: usd } = estimate;
    terminal.out(`basis       medians of ${basis}, which measured ${measured} of ${cells} cells`);
    terminal.out(
      `            of these ${usd === null ? 'the cost is not known' : dollarsText(usd)}, ${ms === null ? 'the time is not known' : durationText(ms)}`,
    );
  }
  terminal.out(
    `episodes    ${forecast.episodes}: ${counted(forecast.cells, 'cell')}, ${timesText(forecast.iterations)}`,
  );
  terminal.out(
    `order       by ${order.by}; entrants shuffled by seed ${order.entrants_shuffled_by_seed}; ${togetherText(order.at_a_time)}`,
  );
  const { smallest_detectable: least } = forecast;
  terminal.out(
    `can detect  ${least === null ? 'no difference: no two entrants can run enough of the same tasks' : `success rates that differ by ${percent(least)} points or more`}`,
  );
  terminal.out(`plan hash   ${forecast.plan_hash}`);
  if (atOnce !== null) terminal.out(`at once     ${atOnce}`);
  if (!unfolds) terminal.out(`could claim ${previewSum(claims)}`);
  terminal.out('');
  for (const line of tableOf(ENTRANTS, forecast.entrants, terminal)) terminal.out(line);
  terminal.out('');
  for (const line of tableOf(TASKS, forecast.tasks, terminal)) terminal.out(line);
  if (!unfolds) return;
  terminal.out('');
  for (const line of previewLines(claims)) terminal.out(asTyped(line, terminal));
}

const ENTRANTS: readonly Column<Forecast['entrants'][number]>[] = [
  ENTRANT_AGAIN,
  { head: 'decided by', words: true, text: ({ decider }) => decider },
  { head: 'endpoint', words: true, text: ({ model }) => model?.model_endpoint ?? null },
  { head: 'temperature', text: ({ model }) => model?.temperature ?? null },
  { head: 'tokens of a reply', text: ({ model }) => model?.max_output_tokens ?? null },
  { head: 'prompt', words: true, text: ({ model }) => model?.prompt_hash.slice(0, 12) ?? null },
];

const TASKS: readonly Column<Forecast['tasks'][number]>[] = [
  { head: 'suite', words: true, text: ({ suite }) => suite },
  { head: 'task', words: true, text: ({ task, fault }) => nameWithFaults(task, fault === null ? [] : [fault]) },
  { head: 'steps', text: ({ steps }) => steps },
  { head: 'turns', text: ({ turns }) => turns },
  { head: 'seconds', text: ({ wall_ms: ms }) => ms / 1000 },
];

function togetherText(workers: Workers): string {
  if (workers === 'auto') return 'as many at once as the machine can run';
  return workers === 1 ? 'one at a time' : `up to ${workers} at once`;
}

/** States how many episodes run at once on this machine, and why; null if a number was given. */
function atOnceHere(made: Planned & { workers: Workers }): string | null {
  const needs = needsOf(made, episodeCount(made.plan));
  const why = whyThatMany(made.workers, needs);
  return why === null ? null : `${workerCount(made.workers, needs)} here: ${why}`;
}

function costText({ most_usd: most, paid_episodes: paid, unpriced_episodes: unpriced }: Forecast['cost']): string {
  if (paid === 0 && unpriced === 0) return 'nothing: no episode asks a billed model';
  const others =
    unpriced === 0 ? '' : `; ${counted(unpriced, 'episode has', 'episodes have')} no known price, and no cap in USD`;
  return `at most ${dollarsText(most)}, by the caps of ${counted(paid, 'episode')} of billed models${others}`;
}

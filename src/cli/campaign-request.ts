import path from 'node:path';
import { z } from 'zod';
import { fact } from '../messages/messages.ts';
import { CampaignError } from '../plan/error.ts';
import { TaskName } from '../task/instance.ts';
import { readChecked } from '../task/source/read-source.ts';
import { TracePolicy } from '../task/trace-policy.ts';
import { formatProblem } from '../task/source/source.ts';
import type { Limits } from '../task/caps.ts';
import type { Request } from './command.ts';
import { WorkersValue, type PlanningOptions } from './planning-options.ts';
import { flagOf } from './options.ts';
import { UsageError } from './exit-code.ts';
import type { Workers } from '../run/worker-count.ts';

const Names = z.array(z.string().min(1)).min(1, 'is empty; name at least one');

/** `campaigns/*.yaml`: what to run, written before the run. */
export const CampaignRequest = z.strictObject({
  title: z.string().min(1).optional(),
  /** Names of built-in suites, or folders relative to this file. */
  suites: Names,
  tasks: z.array(TaskName).min(1, 'is empty; name at least one, or leave it out').optional(),
  /** Defaults are those of the command line, also for iterations, seed and trace. */
  agents: Names.optional(),
  surfaces: Names.optional(),
  iterations: z.int().min(1).max(10_000).optional(),
  /** Shuffles the entrants within an iteration. */
  seed: z.int().optional(),
  /** In USD, for all episodes; the campaign pauses when it is spent. */
  max_usd: z.number().positive().max(1_000_000).optional(),
  /** Lowers the caps of the tasks, for each episode. */
  max_steps: z.int().min(1).max(1_000).optional(),
  max_turns: z.int().min(1).max(1_000).optional(),
  max_tokens: z.int().min(1).max(100_000_000).optional(),
  max_episode_usd: z.number().positive().optional(),
  max_wall_ms: z.int().min(1).optional(),
  /** Name of a built-in prompt, or a file relative to this one. */
  prompt: z.string().min(1).optional(),
  /** Number of episodes that run at once; `auto` by default. Outcomes do not depend on it. */
  workers: WorkersValue.optional(),
  /** Runs one episode at a time, so that times can be claimed. */
  times: z.boolean().optional(),
  trace: TracePolicy.optional(),
  /** Profiles of faults for all tasks: names of built-in ones, or files relative to this one. */
  faults: Names.optional(),
  /** Ids of the only faults to inject, from these profiles and from the tasks. */
  only_faults: Names.optional(),
});
type CampaignRequest = z.infer<typeof CampaignRequest>;

/** Options of the command line that a campaign file replaces. */
const REPLACED =
  'agent surface task iterations seed maxSteps maxTurns maxTokens prompt trace fault onlyFault adapter tasks all'.split(
    ' ',
  );

/**
 * Replaces options of a command with those of its campaign file, and reads the caps of an episode from either. Options override a file
 * that was not named.
 * @throws UsageError when a file and such options are named; CampaignError `bad_campaign`
 */
export async function withCampaign(
  request: Request<PlanningOptions>,
  isNamed: boolean,
): Promise<Request<PlanningOptions> & { caps: Limits; workers?: Workers | undefined; times?: boolean | undefined }> {
  const { args, options, given } = request;
  if (options.campaign === undefined) {
    const { maxSteps: steps, maxTurns: turns, maxTokens: tokens } = options;
    return { ...request, caps: { steps, turns, tokens } };
  }
  const file = options.campaign;
  const twice = [...given.filter((name) => REPLACED.includes(name)).map(flagOf), ...args];
  if (isNamed && twice.length > 0) throw new UsageError(fact('campaign_and_options', { file, options: twice }));
  const {
    suites,
    agents,
    surfaces,
    tasks,
    iterations,
    seed,
    prompt,
    trace,
    workers,
    times,
    faults,
    only_faults: onlyFault,
    ...capped
  } = await readRequest(file);
  const named = (name: string): string => asSeenFrom(path.dirname(file), name);
  const unlessTyped = <Name extends keyof PlanningOptions>(name: Name, inFile: PlanningOptions[Name]) =>
    given.includes(name) ? options[name] : inFile;
  const isOfFile = agents !== undefined && !given.includes('adapter');
  return {
    args: suites.map(named),
    options: {
      ...options,
      agent: unlessTyped('agent', agents?.map(named) ?? options.agent),
      surface: unlessTyped('surface', surfaces?.map(named) ?? options.surface),
      task: unlessTyped('task', tasks),
      iterations: unlessTyped('iterations', iterations ?? options.iterations),
      seed: unlessTyped('seed', seed ?? options.seed),
      maxUsd: options.maxUsd ?? capped.max_usd,
      prompt: unlessTyped('prompt', prompt === undefined ? undefined : named(prompt)),
      trace: unlessTyped('trace', trace ?? options.trace),
      fault: unlessTyped('fault', (faults ?? []).map(named)),
      onlyFault: unlessTyped('onlyFault', onlyFault),
      // A variable does not override the file.
      adapter: unlessTyped('adapter', undefined),
    },
    given: [...given, ...(isOfFile ? ['agent'] : []), ...(surfaces === undefined ? [] : ['surface'])],
    caps: {
      steps: unlessTyped('maxSteps', capped.max_steps),
      turns: unlessTyped('maxTurns', capped.max_turns),
      tokens: unlessTyped('maxTokens', capped.max_tokens),
      cost_usd: capped.max_episode_usd,
      wall_ms: capped.max_wall_ms,
    },
    workers,
    times,
  };
}

/** A name that begins with a dot, also after `nac3:`, is a path relative to the campaign file. */
function asSeenFrom(folder: string, name: string): string {
  const [, kind = '', place = name] = /^(nac3:)(.+)$/.exec(name) ?? [];
  return place.startsWith('.') ? `${kind}${path.resolve(folder, place)}` : name;
}

async function readRequest(file: string): Promise<CampaignRequest> {
  const read = await readChecked(file, CampaignRequest);
  if (read.ok) return read.value;
  throw new CampaignError(fact('bad_campaign', { problems: read.problems.map(formatProblem) }));
}

import type { Claims } from '../claim/claims.ts';
import { fact } from '../messages/messages.ts';
import type { Fact } from '../messages/message.ts';
import { isFileName } from '../plan/entrants.ts';
import { groupCount } from '../plan/part-of-plan.ts';
import type { Workers } from '../run/worker-count.ts';
import { sharesServer } from '../task/suite-paths.ts';
import { canClaim, previewClaims, previewLines } from './claim-preview.ts';
import type { Request } from './command.ts';
import { UsageError } from './exit-code.ts';
import type { RunOptions } from './commands/run.ts';
import { flagOf } from './options.ts';
import type { PlannedRun } from './planned-run.ts';

type RunRequest = Request<RunOptions>;

/** Finds options that exclude each other, before anything is loaded. */
export const REQUEST_CHECKS: readonly ((request: RunRequest) => Fact[])[] = [
  resumeKeepsThePlan,
  ({ options, given }) => browserProblems(options.browserEndpoint, given),
  shardHasNoBaseline,
  queueRunsElsewhere,
  windowsAreOurs,
  watchExcludes,
];

/** Finds reasons why a planned run cannot start. */
export const RUN_CHECKS: readonly ((run: PlannedRun) => Fact[] | Promise<Fact[]>)[] = [
  ({ plan }) => (plan.headed === true ? screenProblems('run') : []),
  shardsHaveEpisodes,
  workersAreAllowed,
  canClaimWhatIsAsked,
  ({ workers, options }) => tooFewBrowsers(workers, options.browserEndpoint),
  baselineIsOfThisRun,
  agentsAreReady,
];

/** Options that may be given with --resume: a resumed campaign has its plan already. */
const WITH_RESUME = new Set([
  'resume',
  'secretFile',
  'verbose',
  'json',
  'workers',
  'times',
  'queue',
  'store',
  'browserEndpoint',
  'baseline',
  'cassette',
  'recordCassette',
  'prompt',
  'liveWeb',
  'fault',
  'maxUsd',
  'yes',
]);

function resumeKeepsThePlan({ options, given }: RunRequest): Fact[] {
  if (options.resume === undefined) return [];
  const namesFiles = (['agent', 'surface'] as const).filter((name) => options[name].every(isFileName));
  const allowed = new Set<string>([...WITH_RESUME, ...namesFiles]);
  const extra = given.filter((name) => !allowed.has(name)).map(flagOf);
  return extra.length === 0 ? [] : [fact('resume_keeps_plan', { options: extra })];
}

/** Options about how to start a browser do not apply to one that is running, which also exists only once. */
export function browserProblems(endpoints: readonly string[], given: readonly string[]): Fact[] {
  if (endpoints.length === 0) return [];
  const chosen = given.filter((name) => name === 'browser' || name === 'isolation').map(flagOf);
  if (chosen.length > 0) return [fact('browser_is_running', { options: chosen.join(' and ') })];
  const distinct = new Set(endpoints.map((each) => new URL(each).href));
  return distinct.size === endpoints.length ? [] : [fact('browser_named_twice')];
}

export function tooFewBrowsers(workers: Workers, { length: browsers }: readonly string[]): Fact[] {
  const isEnough = browsers === 0 || workers === 'auto' || workers <= browsers;
  return isEnough ? [] : [fact('too_few_browsers', { workers, browsers })];
}

function shardHasNoBaseline({ options, given }: RunRequest): Fact[] {
  return options.shard !== undefined && given.includes('baseline') ? [fact('shard_with_baseline')] : [];
}

function queueRunsElsewhere({ options }: RunRequest): Fact[] {
  if (options.queue === undefined) return [];
  return [
    ...(options.browserEndpoint.length > 0 ? [fact('queue_with_browser')] : []),
    ...(options.recordCassette === undefined ? [] : [fact('queue_with_recording')]),
  ];
}

function windowsAreOurs({ options: { headed, browser, queue, browserEndpoint } }: RunRequest): Fact[] {
  const others = [
    ...(browser === 'shell' ? ['--browser shell'] : []),
    ...(queue === undefined ? [] : ['--queue']),
    ...(browserEndpoint.length === 0 ? [] : ['--browser-endpoint']),
  ];
  return headed && others.length > 0 ? [fact('headed_elsewhere', { options: others.join(' or ') })] : [];
}

/** Each run of a watch leaves a bundle of its own. */
function watchExcludes({ options, given }: RunRequest): Fact[] {
  const others = ['resume', 'out', 'shard', 'queue', 'json', 'baseline', 'lastFailed'].filter((name) =>
    given.includes(name),
  );
  return options.watch && others.length > 0 ? [fact('watch_excludes', { options: others.map(flagOf) })] : [];
}

/** Windows need a screen, which a Linux server lacks. */
export function screenProblems(instead: 'run' | 'task'): Fact[] {
  const screens = [process.env['DISPLAY'], process.env['WAYLAND_DISPLAY']];
  const hasScreen = process.platform !== 'linux' || screens.some((name) => (name ?? '') !== '');
  return hasScreen ? [] : [fact('no_screen', { instead })];
}

function shardsHaveEpisodes({ plan, shard }: PlannedRun): Fact[] {
  const groups = groupCount(plan);
  return shard === undefined || shard.of <= groups ? [] : [fact('too_many_shards', { groups, parts: shard.of })];
}

function workersAreAllowed({ suites, asked, options, isTimed }: PlannedRun): Fact[] {
  return workerProblems({ suites, asked, isTimed, hasQueue: options.queue !== undefined });
}

/** Times can be compared only if one episode runs at a time, and so can episodes that share a server. */
export function workerProblems({
  suites,
  asked,
  isTimed,
  hasQueue,
}: Pick<PlannedRun, 'suites' | 'asked' | 'isTimed'> & { hasQueue: boolean }): Fact[] {
  const sharing = suites.find(sharesServer);
  const several = typeof asked === 'number' && asked > 1 ? asked : null;
  if (sharing !== undefined && hasQueue) return [fact('shared_server_in_queue', { suite: sharing.id })];
  if (sharing !== undefined && several !== null)
    return [fact('shared_server', { suite: sharing.id, workers: several })];
  if (!isTimed) return [];
  if (hasQueue) return [fact('times_in_queue')];
  return several === null ? [] : [fact('times_of_workers', { workers: several })];
}

async function canClaimWhatIsAsked(run: PlannedRun): Promise<Fact[]> {
  if (!run.options.claim) return [];
  const isOurs = run.options.browserEndpoint.length === 0;
  const claims: Claims = await previewClaims(run, { isOurs, workers: run.workers });
  return canClaim(claims) ? [] : [fact('no_primary_claim', { reasons: previewLines(claims) })];
}

function baselineIsOfThisRun({ baseline, plan, suites, options }: PlannedRun): Fact[] {
  if (baseline === null) return [];
  const { agent, surface, suite } = baseline;
  const isRun = plan.entrants.some((entrant) => entrant.agent === agent && entrant.surface === surface);
  if (isRun && suites.some(({ id }) => id === suite)) return [];
  return [fact('baseline_of_other_run', { file: options.baseline ?? '', agent, surface, suite })];
}

/** @throws AgentError naming the key or the program that is missing */
function agentsAreReady({ plan, entrants }: PlannedRun): Fact[] {
  for (const { agent } of plan.entrants) entrants.agent(agent).assertReady?.();
  return [];
}

/**
 * Runs checks in their order.
 * @throws UsageError for the first problem that one of them finds
 */
export async function refuse<T>(checks: readonly ((asked: T) => Fact[] | Promise<Fact[]>)[], asked: T): Promise<void> {
  for (const check of checks) refuseAny(await check(asked));
}

/** @throws UsageError for the first problem */
export function refuseAny([problem]: readonly Fact[]): void {
  if (problem !== undefined) throw new UsageError(problem);
}

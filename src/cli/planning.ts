import { fact } from '../messages/messages.ts';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type CampaignFile, readCampaignFile } from '../plan/campaign-file.ts';
import { impossiblePair } from '../plan/possible-pair.ts';
import { Entrants, isFileName } from '../plan/entrants.ts';
import { shellWord } from '../report/shell-word.ts';
import type { OnComplaint } from '../agent/model/setup.ts';
import { modelNames } from '../agent/model-names.ts';
import type { Plan } from '../plan/plan.ts';
import { planCampaign } from '../plan/plan-campaign.ts';
import { baseOfOneShot } from '../surface/surface-ids.ts';
import { NO_TOOLS, traitsOf } from '../surface/traits.ts';
import type { Request } from './command.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { withCampaign } from './campaign-request.ts';
import { type Environment, environmentWithFile, modelSetup } from './model-setup.ts';
import { OWN_CAMPAIGN, OWN_FOLDER } from './init/places.ts';
import { readFaultProfiles } from './built-in-files.ts';
import { bundleToWrite } from './bundles.ts';
import type { PlanningOptions } from './planning-options.ts';
import type { DrawSecret } from '../task/draw.ts';
import type { Shard } from '../plan/shard.ts';
import { noteDrawn, readSecret, refuseOtherSecret } from './secret-file.ts';
import { refuseOtherPlan, refuseOtherEntrants, refuseOtherSuites, sourcesOf, suitesToResume } from './resumed-plan.ts';
import { builtInSuites, loadSuites } from './suites.ts';
import { asTyped, type Terminal } from './terminal.ts';
import { UsageError } from './exit-code.ts';
import { type LastFailures, lastFailures } from './latest.ts';
import { nameOfInstance, taskName } from '../task/instance.ts';
import type { Workers } from '../run/worker-count.ts';

/** A plan, and what running it needs. */
export interface Planned {
  plan: Plan;
  suites: readonly LoadedSuite[];
  /** As they were typed. */
  suiteNames: readonly string[];
  entrants: Entrants;
  environment: Environment;
  /** Undefined for the default. */
  prompt: string | undefined;
  /** Profiles of faults, as they were typed. */
  faults: readonly string[];
  /** The part of the plan to run; all of it by default. */
  shard?: Shard | undefined;
  /** Cap on the spending of all episodes together, in USD; null if only the caps of each episode apply. */
  maxUsd: number | null;
  /** Number of workers from a campaign file. */
  workers?: Workers | undefined;
  /** Whether a campaign file requests comparable times. */
  times?: boolean | undefined;
}

/**
 * Plans what a command line or a campaign file requests.
 * @throws UsageError, CampaignError or AgentError
 */
export async function newPlan(asked: Request<PlanningOptions>, terminal: Terminal): Promise<Planned> {
  const last = asked.options.lastFailed ? await lastFailures() : null;
  const { campaign } = asked.options;
  const requested = await withCampaign(withOwnCampaign(asked), campaign !== undefined);
  const { args, options, given } =
    last === null || campaign !== undefined ? requested : repeated(last, asked, requested);
  const { caps, workers, times } = requested;
  const agents = agentsOf(options, given);
  const suiteNames = suitesNamed(args, options);
  const secret = await readSecret(options.secretFile);
  const loaded = await load({ suiteNames, agents, models: agents, options, secret }, terminal);
  const { suites, entrants } = loaded;
  const again = last === null ? null : failedIn(last, suites, options.task);
  const plan = await planCampaign(
    {
      suites,
      agents,
      surfaces: given.includes('surface') ? options.surface : null,
      isWanted: (pair) => again === null || namesAgents(asked) || hasFailed(pair, again, asked),
      only: again === null ? (options.task ?? null) : [...new Set(again.map(nameIn))],
      iterations: options.iterations,
      seed: options.seed,
      secretHash: secret?.hash,
      caps,
      isolation: options.isolation,
      browserKind: options.browser,
      live: options.liveWeb,
      trace: options.trace,
      film: options.film,
      headed: options.headed,
      slowMs: options.slow,
      faults: await readFaultProfiles(options.fault),
      onlyFaults: options.onlyFault ?? null,
    },
    entrants,
  );
  if (secret !== null) noteDrawn(plan, terminal);
  if (last !== null) noteRepeated(last, plan, terminal);
  refuseIdle(plan, entrants);
  if (!namesAgents(asked)) tellOwnAgents(asked.args, terminal);
  warnOfMissing(plan, entrants, terminal);
  warnOfEnding(plan, entrants, terminal);
  warnOfUnseen(plan, entrants, terminal);
  return { ...loaded, plan, maxUsd: options.maxUsd ?? null, workers, times };
}

/** The same suites, agents and surfaces as in the latest bundle, unless others are typed. */
function repeated(
  { suites, files, failures, isOfFile }: LastFailures,
  asked: Request<PlanningOptions>,
  { args, options, given }: Request<PlanningOptions>,
): Request<PlanningOptions> {
  const named = (key: 'agent' | 'surface') => [
    ...files[`${key}s`],
    ...new Set(failures.map((row) => row[key]).filter((id) => !isOfFile(id))),
  ];
  const surface = asked.given.includes('surface') ? {} : { surface: named('surface') };
  const same = namesAgents(asked) ? {} : { agent: named('agent'), ...surface };
  return {
    args: namesSuites(asked) ? args : suites,
    options: { ...options, ...same },
    given: [...given, ...Object.keys(same)],
  };
}

function noteRepeated({ bundle }: LastFailures, { tasks, entrants }: Plan, terminal: Terminal): void {
  const names = new Set(tasks.map(({ task }) => taskName(task)));
  const pairs = entrants.map(({ agent, surface }) => `${agent}/${surface}`);
  terminal.note(`repeating what failed in ${bundle}: ${[...names].join(', ')} by ${pairs.join(', ')}`);
}

/** @throws UsageError when no task of these suites failed */
function failedIn(
  { bundle, failures }: LastFailures,
  suites: readonly LoadedSuite[],
  asked: readonly string[] | undefined,
): LastFailures['failures'] {
  const again = failures
    .filter(({ suite }) => suites.some(({ id }) => id === suite))
    .filter((row) => asked === undefined || asked.includes(nameIn(row)) || asked.includes(row.task));
  if (again.length === 0) throw new UsageError(fact('nothing_failed', { bundle }));
  return again;
}

function nameIn({ task, instance }: LastFailures['failures'][number]): string {
  return nameOfInstance(task, instance);
}

/** Whether an agent failed through a surface, or through any if one is typed. */
function hasFailed(
  pair: Plan['entrants'][number],
  again: LastFailures['failures'],
  { given }: Request<unknown>,
): boolean {
  const through = again.filter(({ agent }) => agent === pair.agent).map(({ surface }) => surface);
  return given.includes('surface') ? through.length > 0 : through.includes(pair.surface);
}

function namesAgents({ given }: Request<unknown>): boolean {
  return ['agent', 'adapter', 'campaign'].some((name) => given.includes(name));
}

function namesSuites({ args, options: { tasks, campaign, all } }: Request<PlanningOptions>): boolean {
  return args.length > 0 || tasks !== undefined || campaign !== undefined || all;
}

/** By default, the campaign of this folder is run, or that of the folder in which "init" began one here. */
export function withOwnCampaign<O extends PlanningOptions>(asked: Request<O>): Request<O> {
  const campaign = [OWN_CAMPAIGN, path.join(OWN_FOLDER, OWN_CAMPAIGN)].find((file) => existsSync(file));
  return namesSuites(asked) || campaign === undefined ? asked : { ...asked, options: { ...asked.options, campaign } };
}

/** Notes that the agents of a suite's own campaign are not those of this run. */
function tellOwnAgents(suites: readonly string[], terminal: Terminal): void {
  for (const file of suites.map((suite) => path.join(suite, OWN_CAMPAIGN)).filter((each) => existsSync(each))) {
    const instead = `touchstone run --campaign ${shellWord(file)}`;
    terminal.note(
      asTyped(`note: ${file} is not used here; the agents that it names are measured by "${instead}"`, terminal),
    );
  }
}

/** @throws UsageError when no pair can act in any task */
function refuseIdle({ entrants: pairs }: Plan, entrants: Entrants): void {
  const reasons = pairs.map(({ agent, surface }) =>
    impossiblePair(entrants.agent(agent), surface, traitsOf(entrants.surface(surface))),
  );
  const [first] = reasons;
  if (first === undefined || first === null || reasons.includes(null)) return;
  throw new UsageError(fact('no_entrant_can_act', { reasons: [...new Set(reasons)].join('; ') }));
}

function warnOfMissing(plan: Plan, entrants: Entrants, terminal: Terminal): void {
  for (const id of new Set(plan.entrants.map(({ surface }) => surface))) {
    const { unavailable } = entrants.surface(id);
    if (unavailable !== null) terminal.note(`warning: no episode through ${id} can run: ${unavailable}`);
  }
}

/** Warns of models whose provider has announced their end. */
function warnOfEnding(plan: Plan, entrants: Entrants, terminal: Terminal): void {
  for (const id of new Set(plan.entrants.map(({ agent }) => agent))) {
    const { ends } = entrants.agent(id);
    if (ends === undefined) continue;
    const what = `its provider has announced that this name ends on ${ends}; once it is no longer served, the campaign pauses`;
    terminal.note(`warning: ${id}: ${what}`);
  }
}

/** Notes that the calls of agents that drive the browser themselves are unknown, so that no step is filmed or waited for. */
function warnOfUnseen({ entrants: planned, film, slow_ms: slow }: Plan, entrants: Entrants, terminal: Terminal): void {
  const own = planned.filter(({ surface }) => entrants.surface(surface).toolsOf === NO_TOOLS);
  const names = [...new Set(own.map(({ agent }) => agent))];
  if (names.length === 0) return;
  const drives = names.length === 1 ? 'drives the browser itself' : 'drive the browser themselves';
  const who = `warning: ${names.join(', ')} ${drives}`;
  if (film === true) terminal.note(`${who}: --film shows the start and the end of that, and no step`);
  if (slow !== undefined) terminal.note(`${who}: --slow does not slow that down`);
}

/** Options that repeat what a bundle may not decide by itself. */
type AgainOptions = Pick<
  PlanningOptions,
  | 'agent'
  | 'adapter'
  | 'surface'
  | 'liveWeb'
  | 'fault'
  | 'secretFile'
  | 'cassette'
  | 'recordCassette'
  | 'prompt'
  | 'maxUsd'
> & { onComplaint?: OnComplaint | undefined };

/**
 * Reads the plan of a bundle that is resumed.
 * @throws UsageError, CampaignError or BundleError
 */
export async function resumedPlan(
  bundle: string,
  request: Request<PlanningOptions>,
  terminal: Terminal,
): Promise<Planned> {
  const resumed = await readCampaignFile(await bundleToWrite(bundle));
  return await plannedAgain(bundle, resumed, request, terminal);
}

/**
 * Takes over the plan of an untrusted campaign. Its suites and entrants are loaded from here and must be the same; the live web and
 * profiles of faults must be named again.
 * @param name of the campaign, or of its bundle
 * @throws UsageError or CampaignError
 */
export async function plannedAgain(
  name: string,
  campaign: CampaignFile,
  { args, options, given }: Pick<Request<AgainOptions>, 'args' | 'options' | 'given'>,
  terminal: Terminal,
): Promise<Planned> {
  const suiteNames = suitesToResume(name, sourcesOf(campaign), args);
  const models = modelNames(campaign.pins.models);
  const secret = await readSecret(options.secretFile);
  refuseOtherSecret(name, campaign.plan, secret);
  const loaded = await load({ suiteNames, agents: agentsOf(options, given), models, options, secret }, terminal);
  if (campaign.parts !== undefined) throw new UsageError(fact('bundle_was_merged', { name }));
  refuseOtherSuites(name, campaign, loaded.suites);
  refuseOtherEntrants(name, campaign, loaded.entrants);
  await refuseOtherPlan(name, campaign, { suites: loaded.suites, live: options.liveWeb, faults: options.fault });
  return { ...loaded, plan: campaign.plan, shard: campaign.shard, maxUsd: options.maxUsd ?? campaign.max_usd ?? null };
}

interface Parts {
  suiteNames: readonly string[];
  /** Names, or files to read. */
  agents: readonly string[];
  /** Agents that may be models. */
  models: readonly string[];
  options: AgainOptions;
  secret: DrawSecret | null;
}

async function load(parts: Parts, terminal: Terminal): Promise<Omit<Planned, 'plan' | 'maxUsd'>> {
  const { suiteNames, agents, models, options, secret } = parts;
  const suites = await loadSuites(suiteNames, terminal, secret);
  const environment = environmentWithFile('.', process.env);
  const entrants = await Entrants.load(
    { agents: agents.filter(isFileName), surfaces: filesIn(options.surface) },
    modelSetup(models, options, environment, suites),
  );
  return { suites, suiteNames, entrants, environment, prompt: options.prompt, faults: options.fault };
}

/** Returns the files among surfaces, also that of `./my-server.yaml:one-shot`. */
function filesIn(surfaces: readonly string[]): string[] {
  return surfaces.filter(isFileName).map((name) => baseOfOneShot(name) ?? name);
}

function suitesNamed(args: readonly string[], { all, tasks }: PlanningOptions): string[] {
  const named = [...args, ...(tasks === undefined ? [] : [tasks]), ...(all ? builtInSuites() : [])];
  if (named.length > 0) return [...new Set(named)];
  throw new UsageError(fact('no_suite_named', { known: builtInSuites() }));
}

/** The variable and flag of OpenChrome choose the agent only if `--agent` does not. */
function agentsOf({ adapter, agent }: AgainOptions, given: readonly string[]): readonly string[] {
  if (adapter === undefined || given.includes('agent')) return agent;
  return [ADAPTERS[adapter]];
}

/** OpenChrome's names of agents, and ours. */
const ADAPTERS = { mock: 'transcript', claude: 'claude-sonnet-4-6' } as const;

import { readCampaignFile } from '../plan/campaign-file.ts';
import { Entrants, isFileName } from '../plan/entrants.ts';
import { modelNames } from '../agent/model-names.ts';
import { type Plan, planCampaign } from '../plan/plan.ts';
import { baseOfOneShot } from '../surface/one-shot.ts';
import type { Request } from './command.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { withCampaign } from './campaign-request.ts';
import { type Environment, environmentWithFile, modelSetup } from './model-setup.ts';
import { readFaultProfiles } from './fault-profiles.ts';
import { bundleToWrite } from './opened-bundle.ts';
import type { PlanningOptions } from './options.ts';
import { refuseOtherPlan } from './resumed-plan.ts';
import { refuseOtherEntrants, refuseOtherSuites, sourcesOf, suitesToResume } from './resumed-suites.ts';
import { builtInSuites, loadSuites } from './suites.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

/** A plan, and what running it needs. */
export interface Planned {
  plan: Plan;
  suites: readonly LoadedSuite[];
  /** As they were named. */
  suiteNames: readonly string[];
  entrants: Entrants;
  environment: Environment;
  /** What models are told, as it was named; undefined for the usual. */
  prompt: string | undefined;
  /** Profiles of faults, as they were named. */
  faults: readonly string[];
  /** What all episodes together may spend, in USD; null: no more is said than the caps of each. */
  maxUsd: number | null;
}

/**
 * The plan that a command line or a campaign file asks for.
 * @throws UsageError, CampaignError or AgentError naming what is wrong with it.
 */
export async function newPlan(asked: Request<PlanningOptions>, terminal: Terminal): Promise<Planned> {
  const { args, options, given, limits } = await withCampaign(asked);
  const agents = agentsOf(options, given);
  const suiteNames = suitesNamed(args, options);
  const loaded = await load({ suiteNames, agents, models: agents, options }, terminal);
  const { suites, entrants } = loaded;
  const plan = await planCampaign(
    {
      suites,
      agents,
      surfaces: given.includes('surface') ? options.surface : null,
      only: options.task ?? null,
      iterations: options.iterations,
      seed: options.seed,
      limits: { ...limits, steps: options.maxSteps, turns: options.maxTurns, tokens: options.maxTokens },
      isolation: options.isolation,
      browserKind: options.browser,
      live: options.live,
      trace: options.trace,
      faults: await readFaultProfiles(options.fault),
      onlyFaults: options.onlyFault ?? null,
    },
    entrants,
  );
  await warnOfEnding(plan, entrants, terminal);
  return { ...loaded, plan, maxUsd: options.maxUsd ?? null };
}

/** Whoever pays for the others should know of episodes that can come to nothing. */
async function warnOfEnding(plan: Plan, entrants: Entrants, terminal: Terminal): Promise<void> {
  const named = new Set(plan.entrants.map(({ agent }) => agent).filter((id) => entrants.agent(id).decider === 'model'));
  if (named.size === 0) return;
  // No code of models is loaded where none takes part.
  const { MODELS } = await import('../model/models.ts');
  for (const { id, ends } of MODELS) {
    if (ends === undefined || !named.has(id)) continue;
    const what = `its provider has said that the name ends on ${ends}; where it is not served, the campaign pauses`;
    terminal.note(`warning: ${id}: ${what}`);
  }
}

/**
 * The plan of a bundle, to be finished. What it was made of is loaded again, if it is what it was; what of it opens the live web
 * or lays faults over tasks is asked for again.
 * @throws UsageError, CampaignError or BundleError naming what is wrong.
 */
export async function resumedPlan(
  bundle: string,
  { args, options, given }: Request<PlanningOptions>,
  terminal: Terminal,
): Promise<Planned> {
  const resumed = await readCampaignFile(await bundleToWrite(bundle));
  const suiteNames = suitesToResume(bundle, sourcesOf(resumed), args);
  const models = modelNames(resumed.pins.models);
  const loaded = await load({ suiteNames, agents: agentsOf(options, given), models, options }, terminal);
  refuseOtherSuites(bundle, resumed, loaded.suites);
  refuseOtherEntrants(bundle, resumed, loaded.entrants);
  await refuseOtherPlan(bundle, resumed, { suites: loaded.suites, live: options.live, faults: options.fault });
  return { ...loaded, plan: resumed.plan, maxUsd: options.maxUsd ?? resumed.max_usd ?? null };
}

interface Parts {
  suiteNames: readonly string[];
  /** As they are named: what of them is a file is read. */
  agents: readonly string[];
  /** The agents that may be models. */
  models: readonly string[];
  options: PlanningOptions;
}

async function load(parts: Parts, terminal: Terminal): Promise<Omit<Planned, 'plan' | 'maxUsd'>> {
  const { suiteNames, agents, models, options } = parts;
  const suites = await loadSuites(suiteNames, terminal);
  const environment = environmentWithFile('.', process.env);
  const entrants = await Entrants.load(
    { agents: agents.filter(isFileName), surfaces: filesIn(options.surface) },
    modelSetup(models, options, environment, suites),
  );
  return { suites, suiteNames, entrants, environment, prompt: options.prompt, faults: options.fault };
}

/** The files among surfaces: `./my-server.yaml:one-shot` is of one, too. */
function filesIn(surfaces: readonly string[]): string[] {
  return surfaces.filter(isFileName).map((name) => baseOfOneShot(name) ?? name);
}

function suitesNamed(args: readonly string[], { all, tasks }: PlanningOptions): string[] {
  const named = [...args, ...(tasks === undefined ? [] : [tasks]), ...(all ? builtInSuites() : [])];
  if (named.length > 0) return [...new Set(named)];
  throw new UsageError(
    'no suite is named',
    `name one, for example "touchstone run basics"; built in: ${builtInSuites().join(', ')}`,
  );
}

/** The seed's variable and flag choose the agent only where `--agent` does not. */
function agentsOf({ adapter, agent }: PlanningOptions, given: readonly string[]): readonly string[] {
  if (adapter === undefined || given.includes('agent')) return agent;
  return [ADAPTERS[adapter]];
}

/** The seeds' names, and the agents that they mean. */
const ADAPTERS = { mock: 'transcript', claude: 'claude-sonnet-4-6' } as const;

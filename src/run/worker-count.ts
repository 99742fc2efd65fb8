import { availableParallelism, freemem } from 'node:os';
import type { Entrants } from '../plan/entrants.ts';
import type { Plan } from '../plan/plan.ts';
import { whyNoBubblewrap } from '../process/sandbox/bubblewrap.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { sharesServer } from '../task/suite-paths.ts';
import type { CampaignStage } from './stage.ts';

/** `auto`: as many as the machine can run. */
export type Workers = number | 'auto';

export interface Machine {
  cores: number;
  freeBytes: number;
}

/** Facts about the episodes that decide the number of workers. */
export interface Needs {
  episodes: number;
  /** Whether each world starts processes, such as a real application. */
  hasProcesses: boolean;
  /** Whether a model decides in all of them, so that this machine mostly waits. */
  areOfModels: boolean;
  /** Whether several may run at once; `if_asked`: if the user gives a number. */
  together: 'fine' | 'if_asked' | 'never';
  /** Browsers that run already, one for each worker; null: each worker starts its own. */
  browsers: number | null;
}

/** Workers per core: a scripted episode waits half of its time for pages to settle, one with a model nearly all of it. */
const PER_CORE = { scripted: 2, model: 8 };
/** Scripted episodes that justify a worker, since starting its browser costs as much as two or three of them. */
const EPISODES_EACH = 4;
/** Memory of a worker in bytes: Chromium with a page, and the processes of the world. */
const BYTES = { browser: 500e6, processes: 700e6 };

/** Returns how many episodes run at once. */
export function workerCount(asked: Workers, needs: Needs, machine: Machine = thisMachine()): number {
  const most = Math.max(1, Math.min(needs.episodes, needs.browsers ?? needs.episodes));
  if (needs.together === 'never') return 1;
  if (asked !== 'auto') return Math.min(asked, most);
  if (needs.together === 'if_asked') return 1;
  // The machine carries them already.
  if (needs.browsers !== null) return most;
  const { work, cores, memory } = boundsOf(needs, most, machine);
  return Math.max(1, Math.min(work, cores, memory));
}

/** Returns what decides the number if the user gave none; null if they did, or if there is only one episode. */
export function whyThatMany(asked: Workers, needs: Needs, machine: Machine = thisMachine()): string | null {
  if (asked !== 'auto' || needs.episodes < 2) return null;
  if (needs.together === 'never') return 'an app cannot run twice at once';
  if (needs.together === 'if_asked')
    return 'episodes here could reach or disturb each other; to run several at once, give --workers a number';
  if (needs.browsers !== null)
    return `there ${needs.browsers === 1 ? 'is one browser' : `are ${needs.browsers} browsers`}`;
  const { work, cores, memory } = boundsOf(needs, needs.episodes, machine);
  const least = Math.max(1, Math.min(work, cores, memory));
  if (work <= least) return 'too few episodes for more';
  return cores <= least
    ? `this machine has ${machine.cores === 1 ? 'one core' : `${machine.cores} cores`}`
    : 'too little free memory for more';
}

function boundsOf(needs: Needs, most: number, { cores, freeBytes }: Machine) {
  return {
    work: needs.areOfModels ? most : Math.floor(most / EPISODES_EACH),
    cores: cores * (needs.areOfModels ? PER_CORE.model : PER_CORE.scripted),
    memory: Math.floor(freeBytes / (BYTES.browser + (needs.hasProcesses ? BYTES.processes : 0))),
  };
}

function thisMachine(): Machine {
  // A container may have less than its host has free.
  const limit = process.constrainedMemory();
  const unused = limit > 0 ? limit - process.memoryUsage.rss() : Number.POSITIVE_INFINITY;
  return { cores: availableParallelism(), freeBytes: Math.min(freemem(), unused) };
}

interface ToRun {
  plan: Pick<Plan, 'entrants' | 'live'>;
  entrants: Pick<Entrants, 'agent' | 'surface'>;
  suites: readonly Pick<LoadedSuite, 'world'>[];
  browserEndpoints?: readonly string[] | undefined;
}

export function needsOf(campaign: ToRun, episodes: number, { worlds }: Pick<CampaignStage, 'worlds'> = UNTRIED): Needs {
  const { plan, entrants, suites, browserEndpoints = [] } = campaign;
  const hasPrograms = suites.some(({ world }) => world.kind === 'local' && world.sites.some((site) => site.program));
  return {
    episodes,
    hasProcesses:
      hasPrograms || [...worlds.values()].some((world) => world.kind === 'local' && world.realApps.size > 0),
    areOfModels: plan.entrants.every(({ agent }) => entrants.agent(agent).decider === 'model'),
    together: togetherIn(campaign),
    browsers: browserEndpoints.length === 0 ? null : browserEndpoints.length,
  };
}

const UNTRIED = { worlds: new Map<string, never>() };

/** A shared server has one state; the live web is not loaded more than asked for; rivals must not reach each other. */
function togetherIn({ plan, entrants, suites }: ToRun): Needs['together'] {
  if (suites.some(sharesServer)) return 'never';
  if (plan.live) return 'if_asked';
  return plan.entrants.length > 1 && plan.entrants.some((each) => reachesOthers(each, entrants)) ? 'if_asked' : 'fine';
}

/** Whether an entrant could reach browsers and apps of other episodes. */
function reachesOthers({ agent, surface }: Plan['entrants'][number], entrants: ToRun['entrants']): boolean {
  const through = entrants.surface(surface);
  if (through.needs !== 'endpoint') return false;
  const networks = [through.network, entrants.agent(agent).network];
  return networks.includes('shared') || whyNoBubblewrap() !== null;
}

import { availableParallelism, freemem } from 'node:os';
import type { Entrants } from '../plan/entrants.ts';
import type { Plan } from '../plan/plan.ts';
import { whyNoBubblewrap } from '../process/sandbox/bubblewrap.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { sharesServer } from '../task/suite-paths.ts';
import type { CampaignStage } from './stage.ts';

/** The workers that are asked for; `auto`: as many as the machine carries. */
export type Workers = number | 'auto';

/** A machine's room for workers: cores, and free memory in bytes. */
export interface Machine {
  cores: number;
  freeBytes: number;
}

/** Needs of the episodes, as far as they decide the number of workers. */
export interface Needs {
  episodes: number;
  /** Whether a process of the world's own, such as a real application, runs in each. */
  hasProcesses: boolean;
  /** Whether a model decides in all of them: then nothing happens here for most of the time. */
  areOfModels: boolean;
  /** Whether several may run at once: `if_asked` by a number, or `never`. */
  together: 'fine' | 'if_asked' | 'never';
  /** Number of browsers that run already, one for each worker; null: each worker starts its own. */
  browsers: number | null;
}

/** Per core: half of a scripted episode is waiting for pages to settle, and nearly all of one with a model is waiting for it. */
const PER_CORE = { scripted: 2, model: 8 };
/** Scripted episodes that each worker must have to do: its browser takes as much of the processor to start as two or three of them. */
const EPISODES_EACH = 4;
/** Memory of a worker in bytes: its Chromium with a page, and the processes of its world. */
const BYTES = { browser: 500e6, processes: 700e6 };

/** Decides how many episodes run at once: never more than there are, and at least one. */
export function workerCount(asked: Workers, needs: Needs, machine: Machine = thisMachine()): number {
  const most = Math.max(1, Math.min(needs.episodes, needs.browsers ?? needs.episodes));
  if (needs.together === 'never') return 1;
  if (asked !== 'auto') return Math.min(asked, most);
  if (needs.together === 'if_asked') return 1;
  // They run already, so the machine is no limit.
  if (needs.browsers !== null) return most;
  const { work, cores, memory } = boundsOf(needs, most, machine);
  return Math.max(1, Math.min(work, cores, memory));
}

/** Returns what decides how many episodes run at once if no number was asked for; null if one was, or there is only one episode. */
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

/** The most workers that there is work, and a machine, for. */
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

/** Derives from a plan, and from the worlds that were tried, what decides the number of workers. */
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

/** One server has one state. The live web is not loaded more than asked for, nor an entrant run in the reach of a rival. */
function togetherIn({ plan, entrants, suites }: ToRun): Needs['together'] {
  if (suites.some(sharesServer)) return 'never';
  if (plan.live) return 'if_asked';
  return plan.entrants.length > 1 && plan.entrants.some((each) => reachesOthers(each, entrants)) ? 'if_asked' : 'fine';
}

/** Whether an entrant could reach the browsers and apps of episodes that run at the same time. */
function reachesOthers({ agent, surface }: Plan['entrants'][number], entrants: ToRun['entrants']): boolean {
  const through = entrants.surface(surface);
  if (through.needs !== 'endpoint') return false;
  const networks = [through.network, entrants.agent(agent).network];
  return networks.includes('shared') || whyNoBubblewrap() !== null;
}

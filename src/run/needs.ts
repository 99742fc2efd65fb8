import type { Entrants } from '../plan/entrants.ts';
import type { Plan } from '../plan/plan.ts';
import { whyNoBubblewrap } from '../process/sandbox/bubblewrap.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { sharesServer } from '../task/suite-paths.ts';
import type { CampaignStage } from './campaign-stage.ts';
import type { Needs } from './worker-count.ts';

interface ToRun {
  plan: Pick<Plan, 'entrants' | 'live'>;
  entrants: Pick<Entrants, 'agent' | 'surface'>;
  suites: readonly Pick<LoadedSuite, 'world'>[];
  browserEndpoints?: readonly string[] | undefined;
}

/** Decides what the episodes of a plan need, as far as it says how many run at once. */
export function needsOf(campaign: ToRun, { worlds }: Pick<CampaignStage, 'worlds'>, episodes: number): Needs {
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

/** One server can have one state; nobody loads the live web more than has to be, or is put in the reach of a rival unasked. */
function togetherIn({ plan, entrants, suites }: ToRun): Needs['together'] {
  if (suites.some(sharesServer)) return 'never';
  if (plan.live) return 'if_asked';
  return plan.entrants.length > 1 && plan.entrants.some((each) => reachesOthers(each, entrants)) ? 'if_asked' : 'fine';
}

/** Whether an entrant could reach the browsers and apps of episodes that run beside its own. */
function reachesOthers({ agent, surface }: Plan['entrants'][number], entrants: ToRun['entrants']): boolean {
  const through = entrants.surface(surface);
  if (through.needs !== 'endpoint') return false;
  const networks = [through.network, entrants.agent(agent).network];
  return networks.includes('shared') || whyNoBubblewrap() !== null;
}

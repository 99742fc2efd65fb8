import { AGENTS } from '../agent/built-in.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { modelPinProblems } from '../plan/model-pins.ts';
import { fileProblem, type BundleProblem } from './finding.ts';

/** Returns what the pins say that cannot be: modes follow from it. */
export function pinFindings({ plan, pins }: CampaignFile): BundleProblem[] {
  const live = plan.live ? [] : Object.entries(pins.world_kinds).filter(([, kind]) => kind === 'live_web');
  const deciders = Object.entries(pins.deciders).filter(([agent, decider]) => {
    const builtIn = AGENTS.find(({ id }) => id === agent)?.decider ?? decider;
    return decider !== builtIn || (decider === 'model') !== Object.hasOwn(pins.models, agent);
  });
  return [
    ...live.map(([name]) => `world_kinds says live_web of ${name}, and the plan is not live`),
    ...deciders.map(([agent, decider]) => `deciders says ${decider} of ${agent}, which it is not`),
    ...modelPinProblems(pins),
  ].map((problem) => fileProblem('campaign.json', problem));
}

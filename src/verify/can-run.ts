import type { Row } from '../bundle/row.ts';
import { faultKindOf } from '../fault/schema.ts';
import { AGENTS } from '../agent/built-in.ts';
import { impossiblePair } from '../plan/possible-pair.ts';
import { hasAppTools } from '../plan/app-tools.ts';
import { pinned, type Pins } from '../plan/pins.ts';
import { plannedFault } from '../plan/planned-fault.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import { injectableOf } from '../plan/injectable.ts';

/**
 * Refuses a row that says that its cell cannot be run, where it can. Whether agents without a model can run a task follows from
 * the task and the pinned traits of the surface, by the same code that decides it in a run.
 * @throws Error when it can
 */
export async function refuseIfItCanRun(
  { status, agent: id, surface, iteration }: Row,
  { planned }: PlannedEpisode,
  { browser, surfaces }: Pins,
): Promise<void> {
  const choice = AGENTS.find((each) => each.id === id);
  if (status !== 'not_applicable' || choice === undefined) return;
  const traits = pinned(surfaces, surface, 'traits');
  if (!traits.in_process && !browser.ours) return;
  const { suite, task, fault } = planned;
  if (fault !== undefined) {
    if (faultKindOf(fault).whyNot(injectableOf(traits)) !== null) return;
    // Whether anything can be drawn hangs on the task, and not on what it is drawn by.
    if (plannedFault({ planned, iteration }, { seed: 0 }) === null) return;
  }
  if (choice.decider !== 'control' && choice.decider !== 'reference') return;
  // Whether an app has tools of its own is a matter of its suite, which no bundle holds.
  if (impossiblePair(choice, surface, traits) !== null || hasAppTools(traits)) return;
  const cell = await choice.forCell({
    suite,
    task,
    fault: null,
    surface,
    interaction: traits.interaction,
    solutionFor: 'page',
    iteration,
    suiteFolder: '',
    hidden: { contracts: [], around: [] },
    redact: (text) => text,
  });
  if ('agent' in cell) throw new Error(`it is not_applicable, and agent ${id} can run this task`);
}

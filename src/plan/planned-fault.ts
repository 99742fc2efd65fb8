import type { Injectable } from '../fault/fault-kind.ts';
import { drawFault, type ArmedFault, type Fault, faultKindOf, type FaultState } from '../fault/schema.ts';
import { taskName } from '../task/instance.ts';
import { touchedBy } from '../task/schema.ts';
import type { Plan, PlannedEpisode, PlannedTask } from './plan.ts';

type Seeded = Pick<Plan, 'seed'>;
type InEpisode = Pick<PlannedEpisode, 'planned' | 'iteration'>;

/** Returns the fault of an episode, with all that is drawn; null where none is planned, a reason where it cannot be. */
export function faultOf(
  episode: InEpisode,
  plan: Seeded,
  entrant: Injectable,
): { armed: ArmedFault | null } | { impossible: string } {
  const { fault } = episode.planned;
  if (fault === undefined) return { armed: null };
  const why = faultKindOf(fault).whyNot(entrant);
  return why === null ? drawn(fault, episode, plan) : { impossible: why };
}

/** Returns the fault that the plan draws for an episode, whoever runs it; null where it draws none. */
export function plannedFault(episode: InEpisode, plan: Seeded): ArmedFault | null {
  const { fault } = episode.planned;
  if (fault === undefined) return null;
  const found = drawn(fault, episode, plan);
  return 'armed' in found ? found.armed : null;
}

function drawn(fault: Fault, { planned: { suite, task }, iteration }: InEpisode, { seed }: Seeded) {
  return drawFault(fault, { seed, suite, task: taskName(task), iteration }, touchedBy(task));
}

/** The row's list of faults for an episode in which none was armed. */
export function neverArmed({ fault }: Pick<PlannedTask, 'fault'>): FaultState[] {
  if (fault === undefined) return [];
  return [{ id: fault.id, kind: fault.kind, armed: false, fired: false, cleared: false }];
}

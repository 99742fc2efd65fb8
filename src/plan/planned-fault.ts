import type { Injectable } from '../fault/fault-kind.ts';
import { drawFault } from '../fault/schedule.ts';
import { type ArmedFault, faultKindOf, type FaultState } from '../fault/schema.ts';
import { taskName } from '../task/instance.ts';
import { touchedBy } from '../task/touched.ts';
import type { Plan, PlannedEpisode, PlannedTask } from './plan.ts';

/** The fault of an episode, with all that is drawn; null where none is planned, a reason where it cannot be. */
export function faultOf(
  { planned, iteration }: Pick<PlannedEpisode, 'planned' | 'iteration'>,
  { seed }: Pick<Plan, 'seed'>,
  entrant: Injectable,
): { armed: ArmedFault | null } | { impossible: string } {
  const { suite, task, fault } = planned;
  if (fault === undefined) return { armed: null };
  const why = faultKindOf(fault).whyNot(entrant);
  if (why !== null) return { impossible: why };
  return drawFault(fault, { seed, suite, task: taskName(task), iteration }, touchedBy(task));
}

/** What a row says of the faults of an episode in which none was armed. */
export function neverArmed({ fault }: Pick<PlannedTask, 'fault'>): FaultState[] {
  if (fault === undefined) return [];
  return [{ id: fault.id, kind: fault.kind, armed: false, fired: false, cleared: false }];
}

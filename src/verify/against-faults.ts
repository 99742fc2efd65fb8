import type { Row } from '../bundle/row.ts';
import type { Plan, PlannedEpisode } from '../plan/plan.ts';
import { canonicalJson } from '../contract/canonical.ts';
import type { FaultEvent } from '../fault/fault-record.ts';
import { drawFault } from '../fault/schedule.ts';
import type { ArmedFault } from '../fault/schema.ts';
import { taskName } from '../task/instance.ts';
import { touchedBy } from '../task/touched.ts';

/** The fault that lies in wait in a planned episode, as its plan draws it; null where it has none. */
export function drawnFault({ planned, iteration }: PlannedEpisode, { seed }: Plan): ArmedFault | null {
  const { suite, task, fault } = planned;
  if (fault === undefined) return null;
  const drawn = drawFault(fault, { seed, suite, task: taskName(task), iteration }, touchedBy(task));
  return 'armed' in drawn ? drawn.armed : null;
}

/** Whether the events tell of the fault that the plan has drawn, and of what the row says became of it. */
export function isFaultTold({ faults }: Row, told: readonly FaultEvent[], drawn: ArmedFault | null): boolean {
  const armed = told.flatMap((event) => (event.type === 'fault.armed' ? [event.fault] : []));
  if (armed.some((each) => canonicalJson(each) !== canonicalJson(drawn))) return false;
  const said = faults.flatMap(({ id, injection, ...state }) => [
    ...(['armed', 'fired', 'cleared'] as const).filter((what) => state[what]).map((what) => `fault.${what} ${id}`),
    ...(injection === 'obeyed' ? [`fault.obeyed ${id}`] : []),
  ]);
  const found = told.map((event) => `${event.type} ${event.type === 'fault.armed' ? event.fault.id : event.id}`);
  // When an order is obeyed hangs on the agent: it may be before the end or at it.
  return canonicalJson(said.toSorted()) === canonicalJson(found.toSorted());
}

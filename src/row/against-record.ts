import { z } from 'zod';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { otherFields } from '../bundle/difference.ts';
import { BundleError } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { type AttemptKey, ROW_HASHES } from '../bundle/row.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { durationOf, type RecordedEvent } from '../episode/events.ts';
import { plannedFault } from '../plan/possible-pair.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import type { Attempt } from './attempt.ts';
import { nothingRecorded, type Recorded, recordedEvents, take } from './recorded.ts';
import { rowOf } from './row-of.ts';
import { taskName } from '../task/instance.ts';

export interface ReadRecord {
  recorded: Recorded;
  /** False when it could not be read to its end. */
  isWhole: boolean;
  problems: Fact[];
}

/**
 * Reads the events of an attempt: each follows the one before, and none records more time than had passed. A line that cannot
 * be read is a problem, and the end.
 */
export async function readRecord(layout: BundleLayout, attempt: AttemptKey): Promise<ReadRecord> {
  const recorded = nothingRecorded();
  const problems: Fact[] = [];
  try {
    for await (const line of recordedEvents(layout, attempt)) {
      problems.push(...lineProblems(line, recorded));
      take(recorded, line);
    }
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return { recorded, isWhole: false, problems: [...problems, error.fact] };
  }
  return { recorded, isWhole: true, problems };
}

function lineProblems({ seq, at_ms: atMs, event }: RecordedEvent, before: Recorded): Fact[] {
  const follows = seq === before.seq + 1 && atMs >= before.atMs;
  // Events have whole milliseconds.
  const isLonger = durationOf(event) > atMs + 1;
  return [
    ...(follows ? [] : [fact('event_not_next', { seq })]),
    ...(isLonger ? [fact('event_too_long', { seq })] : []),
    ...(event.type === 'acted' && event.wall_ms + 1 < before.toolMs ? [fact('event_too_short', { seq })] : []),
  ];
}

/** Lists how an attempt's events contradict its plan and the pins. */
export function planProblems(
  { last, seq, faults }: Recorded,
  { planned, iteration, agent, surface }: PlannedEpisode,
  { plan, pins }: Pick<CampaignFile, 'plan' | 'pins'>,
): Fact[] {
  const { reset, stop, impossible, replayed, browser_not_ours: notOurs, agent_begun: begun } = last;
  const isReplay = Object.hasOwn(pins.models, agent) && pins.models[agent]?.endpoint_kind === 'cassette';
  const drawn = plannedFault({ planned, iteration }, plan);
  const armed = faults.flatMap((event) => (event.type === 'fault.armed' ? [event.fault] : []));
  const strange = faults.some((event) => event.type !== 'fault.armed' && event.id !== planned.fault?.id);
  const checks: [problem: Fact, isSo: boolean][] = [
    [fact('events_other_task'), reset !== undefined && reset.task !== taskName(planned.task)],
    [fact('events_other_agent'), reset !== undefined && reset.agent !== agent],
    [fact('events_other_surface'), reset !== undefined && reset.surface !== surface],
    [fact('events_other_browser'), notOurs !== undefined && !pins.browser.ours],
    [fact('events_no_end'), stop === undefined && impossible === undefined],
    [fact('events_replayed'), replayed !== undefined && !isReplay],
    [fact('events_not_replayed'), replayed === undefined && isReplay && begun !== undefined],
    [fact('events_impossible'), impossible !== undefined && seq > 1],
    [
      fact('events_other_fault'),
      strange || armed.length > 1 || armed.some((each) => canonicalJson(each) !== canonicalJson(drawn)),
    ],
  ];
  return checks.flatMap(([problem, isSo]) => (isSo ? [problem] : []));
}

/** The fields of a row that do not follow from plan, pins, ledger and events. */
export function rowProblems(row: object, attempt: Attempt, recorded: Recorded): Fact[] {
  try {
    const others = otherFields(row, rowOf(attempt, recorded)).filter(({ field }) => !ROW_HASHES.has(field));
    return others.map(({ field, words }) => fact('row_field_differs', { field, difference: words }));
  } catch (error) {
    if (error instanceof z.ZodError) return [fact('row_not_valid', { why: z.prettifyError(error) })];
    if (error instanceof BundleError) return [error.fact];
    throw error;
  }
}

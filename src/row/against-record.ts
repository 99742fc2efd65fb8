import { z } from 'zod';
import { otherFields } from '../bundle/difference.ts';
import { BundleError } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { ROW_HASHES } from '../bundle/row-hashes.ts';
import { canonicalJson } from '../contract/canonical.ts';
import { durationOf, type RecordedEvent } from '../episode/events.ts';
import { plannedFault } from '../plan/planned-fault.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import type { Attempt } from './attempt.ts';
import { nothingRecorded, type Recorded, take } from './recorded.ts';
import { recordedEvents } from './recorded-events.ts';
import { rowOf } from './row-of.ts';
import { taskName } from '../task/instance.ts';

/** The record of an attempt, and its problems, in words. */
export interface ReadRecord {
  recorded: Recorded;
  /** False when it could not be read to its end. */
  isWhole: boolean;
  problems: string[];
}

/**
 * Reads the events of an attempt: each has to follow from the one before, and none tells of more time than had passed.
 * A line that cannot be read is a problem, and the end.
 */
export async function readRecord(
  layout: BundleLayout,
  attempt: Pick<Row, 'episode_id' | 'attempt'>,
): Promise<ReadRecord> {
  const recorded = nothingRecorded();
  const problems: string[] = [];
  try {
    for await (const line of recordedEvents(layout, attempt)) {
      problems.push(...lineProblems(line, recorded));
      take(recorded, line);
    }
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    return { recorded, isWhole: false, problems: [...problems, error.message] };
  }
  return { recorded, isWhole: true, problems };
}

function lineProblems({ seq, at_ms: atMs, event }: RecordedEvent, before: Recorded): string[] {
  const follows = seq === before.seq + 1 && atMs >= before.atMs;
  // Events have whole milliseconds.
  const isLonger = durationOf(event) > atMs + 1;
  return [
    ...(follows ? [] : [`events.jsonl:${seq} does not follow from the event before it`]),
    ...(isLonger ? [`events.jsonl:${seq} tells of more time than had passed`] : []),
    ...(event.type === 'acted' && event.wall_ms + 1 < before.toolMs
      ? [`events.jsonl:${seq} tells of less time than the calls took`]
      : []),
  ];
}

/** Returns how an attempt's events contradict its plan and what is pinned, in words. */
export function planProblems(
  { last, seq, faults }: Recorded,
  { planned, iteration, agent, surface }: PlannedEpisode,
  { plan, pins }: Pick<CampaignFile, 'plan' | 'pins'>,
): string[] {
  const { reset, stop, impossible, replayed, browser_not_ours: notOurs, agent_begun: begun } = last;
  const isReplay = Object.hasOwn(pins.models, agent) && pins.models[agent]?.endpoint_kind === 'cassette';
  const drawn = plannedFault({ planned, iteration }, plan);
  const armed = faults.flatMap((event) => (event.type === 'fault.armed' ? [event.fault] : []));
  const strange = faults.some((event) => event.type !== 'fault.armed' && event.id !== planned.fault?.id);
  const checks: [problem: string, isSo: boolean][] = [
    ['tells of another task', reset !== undefined && reset.task !== taskName(planned.task)],
    ['tells of another agent', reset !== undefined && reset.agent !== agent],
    ['tells of another surface', reset !== undefined && reset.surface !== surface],
    ['tells of a browser that is not ours, as if the pinned one were', notOurs !== undefined && !pins.browser.ours],
    ['tells neither of an end, nor why nobody began', stop === undefined && impossible === undefined],
    ['tells of recorded replies, and its model is pinned as one that was asked', replayed !== undefined && !isReplay],
    [
      'tells of no recorded replies, and they alone are pinned',
      replayed === undefined && isReplay && begun !== undefined,
    ],
    ['tells why nobody began, and of an episode that has begun', impossible !== undefined && seq > 1],
    [
      'tells of another fault than the plan draws',
      strange || armed.length > 1 || armed.some((each) => canonicalJson(each) !== canonicalJson(drawn)),
    ],
  ];
  return checks.flatMap(([problem, isSo]) => (isSo ? [`events.jsonl ${problem}`] : []));
}

/** Returns the fields of a row, or of what lies in its place, that are not what plan, pins, ledger and events come to, in words. */
export function rowProblems(row: object, attempt: Attempt, recorded: Recorded): string[] {
  try {
    const others = otherFields(row, rowOf(attempt, recorded)).filter(({ field }) => !ROW_HASHES.has(field));
    return others.map(({ field, words }) => `${field} is not what was recorded: ${words}`);
  } catch (error) {
    if (error instanceof z.ZodError) return [`what was recorded comes to no row: ${z.prettifyError(error)}`];
    if (error instanceof BundleError) return [error.message];
    throw error;
  }
}

import { printable } from '../messages/printable.ts';
import type { LedgerRecord } from '../bundle/ledger-record.ts';
import type { Row } from '../bundle/row.ts';
import { episodeCountIn, type PartOfPlan, type PlannedEpisodes } from '../plan/part-of-plan.ts';
import { taskName } from '../task/instance.ts';
import { BundleError, isMissing } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { EpisodeLine } from '../report/counted-rows.ts';
import type { Report } from '../report/report.ts';
import { recordedEvents } from '../row/recorded.ts';
import { callText, ListedElements } from './listed-elements.ts';

/** The progress of a campaign by its ledger. */
export interface Standing {
  /** Episodes with a counted row. */
  done: number;
  total: number;
  /** One printable sentence. */
  text: string;
}

/** Most attempts under way that are named. */
const MAX_NAMED = 4;

export function standingOf(
  part: PartOfPlan,
  episodes: PlannedEpisodes,
  { records, counted }: { records: readonly LedgerRecord[]; counted: readonly Row[] },
): Standing {
  const [done, total] = [counted.length, episodeCountIn(part)];
  const text = [`${done} of ${total} episodes done`, ...underWay(records, episodes)].join('; ');
  return { done, total, text: printable(text) };
}

/** Names attempts that have not ended. A ledger looks the same while a run works and after it was killed. */
function underWay(records: readonly LedgerRecord[], episodes: PlannedEpisodes): string[] {
  if (records.at(-1)?.kind === 'paused') return ['paused'];
  const begun = new Map<string, string>();
  for (const record of records) {
    if (record.kind === 'started') begun.set(keyOf(record), record.episode_id);
    else if (record.kind === 'sealed' || record.kind === 'voided') begun.delete(keyOf(record));
  }
  const names = [...begun.values()].map((id) => nameOf(id, episodes));
  if (names.length === 0) return [];
  const more = names.length - MAX_NAMED;
  return [`begun and not ended: ${names.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}

function keyOf({ episode_id: id, attempt }: { episode_id: string; attempt: number }): string {
  return `${id} ${attempt}`;
}

function nameOf(id: string, episodes: PlannedEpisodes): string {
  const planned = episodes.byId(id);
  if (planned === null) return id;
  const { agent, surface } = planned;
  return `${taskName(planned.planned.task)} by ${agent} through ${surface}`;
}

/** Most episodes whose records are read. */
const MAX = 500;

/** Words the last calls of episodes, failures first, if their records explain the references in them. Leaves out unreadable records. */
export async function lastCallsIn({ episodes }: Report, layout: BundleLayout): Promise<Map<string, string>> {
  const asking = episodes.filter(({ last_tool_call: call }) => call !== null && holdsText(call.args));
  const [passed, others] = [true, false].map((is) => asking.filter(({ status }) => (status === 'passed') === is));
  const sentences = new Map<string, string>();
  for (const line of [...(others ?? []), ...(passed ?? [])].slice(0, MAX)) {
    const text = await lastCallOf(line, layout);
    if (text !== null) sentences.set(line.episode_id, printable(text));
  }
  return sentences;
}

/** Whether an argument may be a reference. */
function holdsText(args: unknown): boolean {
  return typeof args === 'object' && args !== null && Object.values(args).some((each) => typeof each === 'string');
}

async function lastCallOf(line: EpisodeLine, layout: BundleLayout): Promise<string | null> {
  const listed = new ListedElements();
  let last: string | null = null;
  try {
    for await (const { event } of recordedEvents(layout, line)) {
      if (event.type === 'result') listed.take(event);
      if (event.type !== 'call') continue;
      const named = listed.namedBy(event);
      last = named.length === 0 ? null : callText(event, named);
    }
    return last;
  } catch (error) {
    if (error instanceof BundleError || isMissing(error)) return null;
    throw error;
  }
}

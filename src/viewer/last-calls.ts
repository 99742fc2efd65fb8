import { BundleError, isMissing } from '../bundle/errors.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { EpisodeLine } from '../report/episode-line.ts';
import { printable } from '../messages/printable.ts';
import type { Report } from '../report/report.ts';
import { recordedEvents } from '../row/recorded-events.ts';
import { callText, ListedElements } from './listed-elements.ts';

/** Most episodes whose record is read for it. */
const MOST = 500;

/**
 * Says the last call of episodes as people do, where it names elements by references that the record explains; by episode.
 * Those that did not pass come first. What cannot be read is left out.
 */
export async function lastCallsIn({ episodes }: Report, layout: BundleLayout): Promise<Map<string, string>> {
  const asking = episodes.filter(({ last_tool_call: call }) => call !== null && holdsText(call.args));
  const [passed, others] = [true, false].map((is) => asking.filter(({ status }) => (status === 'passed') === is));
  const said = new Map<string, string>();
  for (const line of [...(others ?? []), ...(passed ?? [])].slice(0, MOST)) {
    const text = await lastCallOf(line, layout);
    if (text !== null) said.set(line.episode_id, printable(text));
  }
  return said;
}

/** Whether one of the arguments may be a reference: a call without any needs no record. */
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

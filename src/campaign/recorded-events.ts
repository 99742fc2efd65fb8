import { checkJson, refuseFirst } from '../bundle/json-file.ts';
import { readJsonLines } from '../bundle/jsonl.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import { BundleError } from '../bundle/errors.ts';
import type { Row } from '../bundle/row.ts';
import { RecordedEvent } from '../episode/events.ts';
import { wellFormedJson } from '../task/well-formed.ts';

/**
 * What was recorded of an attempt, event by event; nothing for one that never ran. A line that its writer was killed in is
 * the end.
 * @throws BundleError when a line is no event.
 */
export async function* recordedEvents(
  layout: BundleLayout,
  { episode_id: id, attempt, mode }: Pick<Row, 'episode_id' | 'attempt' | 'mode'>,
): AsyncGenerator<RecordedEvent> {
  if (mode === 'skip') return;
  const { events } = layout.attempt(id, attempt);
  for await (const line of readJsonLines(events)) {
    if (line.torn) return;
    const place = `${events}:${line.number}`;
    refuseHalves(line, place);
    refuseFirst(line.value, RecordedEvent, 'an event', place);
    yield checkJson(line.value, RecordedEvent, 'an event', place);
  }
}

/** What is compared as canonical JSON has to be text. No recorder of ours writes half of a character. */
function refuseHalves({ text, value }: { text: string; value: unknown }, place: string): void {
  // They are escaped in JSON, and little else is.
  if (!/\\u[dD][89a-fA-F]/.test(text) || JSON.stringify(wellFormedJson(value)) === JSON.stringify(value)) return;
  throw new BundleError('malformed', `${place} holds half of a character`, 'do not trust a bundle that came like this');
}

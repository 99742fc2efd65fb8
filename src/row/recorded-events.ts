import { checkSized } from '../bundle/json-file.ts';
import { readJsonLines } from '../bundle/jsonl.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { Row } from '../bundle/row.ts';
import { RecordedEvent } from '../episode/events.ts';

/**
 * Reads the record of an attempt, event by event. A line in which its writer was killed is the end.
 * @throws BundleError when there is no such file, or a line is no event.
 */
export async function* recordedEvents(
  layout: BundleLayout,
  { episode_id: id, attempt }: Pick<Row, 'episode_id' | 'attempt'>,
): AsyncGenerator<RecordedEvent> {
  const { events } = layout.attempt(id, attempt);
  for await (const line of readJsonLines(events)) {
    if (line.torn) return;
    const place = `${events}:${line.number}`;
    yield checkSized(line.value, line.text.length, { schema: RecordedEvent, what: 'an event', name: place });
  }
}

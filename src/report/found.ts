import { StoredFact } from '../messages/message.ts';
import { messageFor } from '../messages/messages.ts';
import type { Row } from '../bundle/row.ts';

/** An expected or observed value, as a row has it. */
export type ObservedInRow = NonNullable<Row['failed_contract']>['observed'];

/** Put what was observed in quotes, once: of an app's state it is JSON, in which text stands in quotes already. */
export function inQuotes(text: string, kind: string): string {
  return kind === 'app_state' ? text : `“${text}”`;
}

/** The text of what an assertion expected or observed; null if it saw nothing. */
export function foundText(value: ObservedInRow): string | null {
  if (value === null) return null;
  const stored = StoredFact.safeParse(value);
  if (stored.success) return messageFor(stored.data);
  if (typeof value === 'object' && 'preview' in value && typeof value.preview === 'string') return value.preview;
  return JSON.stringify(value);
}

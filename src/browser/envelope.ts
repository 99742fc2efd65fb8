/** Reads from a reply the number that its command had; null for an event, which has none. */
export function idOf(message: Buffer): number | null {
  const id = HEAD.exec(message.toString('latin1', 0, HEAD_BYTES))?.[1];
  return id === undefined ? null : Number(id);
}

/**
 * The session that a message of the browser is from; null where it is from the browser itself. Chromium writes it last, and
 * no text within a message looks like it there: quotes in texts are escaped, and nested values end with more brackets.
 */
export function sessionOf(message: Buffer): string | null {
  return tailOf(message)?.session ?? null;
}

/** The same message with another number, or without its session: copied once, and never parsed, as it may be huge. */
export function readdressed(message: Buffer, { id, isOfRoot }: { id?: number; isOfRoot: boolean }): Buffer {
  const tail = isOfRoot ? tailOf(message) : null;
  const head = id === undefined ? null : HEAD.exec(message.toString('latin1', 0, HEAD_BYTES));
  if (tail === null && head === null) return message;
  const from = head === null ? 0 : head[0].length;
  const to = tail === null ? message.length : message.length - tail.length;
  return Buffer.concat([
    Buffer.from(head === null ? '' : `{"id":${id}`),
    message.subarray(from, to),
    Buffer.from(tail === null ? '' : '}'),
  ]);
}

const HEAD = /^\{"id":(\d{1,10})(?=[,}])/;
const HEAD_BYTES = 32;
const TAIL = /,"sessionId":"([^"\\]{1,64})"\}$/;
const TAIL_BYTES = 96;

function tailOf(message: Buffer): { session: string; length: number } | null {
  const found = TAIL.exec(message.toString('latin1', Math.max(0, message.length - TAIL_BYTES)));
  return found?.[1] === undefined ? null : { session: found[1], length: found[0].length };
}

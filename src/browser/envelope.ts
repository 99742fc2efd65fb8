/** Returns the id of the command that a message replies to; null for an event. */
export function idOf(message: Buffer): number | null {
  const id = HEAD.exec(message.toString('latin1', 0, HEAD_BYTES))?.[1];
  return id === undefined ? null : Number(id);
}

/**
 * The session that a message of the browser is from; null if it is from the browser itself. Chromium writes it last, and
 * no text within a message looks like it there: quotes in texts are escaped, and nested values end with more brackets.
 */
export function sessionOf(message: Buffer): string | null {
  return tailOf(message)?.session ?? null;
}

/** The same message with another id, or without its session: copied once and never parsed, since it may be huge. */
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

/** The bytes of `"`, `\\`, and of the characters before each JSON value but the first. */
const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/** Whether a message holds more values than this: each takes time to parse and to check, however short it is. */
export function holdsMoreThan(message: Buffer, values: number): boolean {
  // No value takes less than two bytes.
  if (message.length <= 2 * values) return false;
  let found = 0;
  for (let at = 0; at < message.length; at += 1) {
    const byte = message[at];
    if (byte === QUOTE) at = endOfText(message, at + 1);
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) found += 1;
    if (found > values) return true;
  }
  return false;
}

function endOfText(message: Buffer, from: number): number {
  for (let at = message.indexOf(QUOTE, from); at !== -1; at = message.indexOf(QUOTE, at + 1)) {
    let before = at - 1;
    while (before >= from && message[before] === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return message.length;
}

/** Replaces the real reply to a command. */
export function errorReply(id: number, session: string | null, message: string): Buffer {
  return Buffer.from(JSON.stringify({ id, error: { code: -32_000, message }, sessionId: session ?? undefined }));
}

const HEAD = /^\{"id":(\d{1,10})(?=[,}])/;
const HEAD_BYTES = 32;
const TAIL = /,"sessionId":"([^"\\]{1,64})"\}$/;
const TAIL_BYTES = 96;

function tailOf(message: Buffer): { session: string; length: number } | null {
  const found = TAIL.exec(message.toString('latin1', Math.max(0, message.length - TAIL_BYTES)));
  return found?.[1] === undefined ? null : { session: found[1], length: found[0].length };
}

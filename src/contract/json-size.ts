/** Counts the UTF-8 bytes of a value's JSON without writing it. Returns null as soon as they are more than `most`. */
export function jsonBytes(value: unknown, most: number): number | null {
  let bytes = 0;
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string') {
      // Each character takes a byte at least, so that what is far too long is never copied.
      bytes += next.length > most - bytes ? next.length : Buffer.byteLength(JSON.stringify(next));
    } else if (Array.isArray(next)) {
      bytes += brackets(next.length);
      if (bytes <= most) for (const item of next) waiting.push(item);
    } else if (typeof next === 'object' && next !== null) {
      const fields = Object.entries(next);
      bytes += brackets(fields.length) + fields.length;
      if (bytes <= most) for (const field of fields) waiting.push(...field);
    } else {
      bytes += String(next).length;
    }
    if (bytes > most) return null;
  }
  return bytes;
}

/** Both brackets, and a comma between each two items. */
function brackets(items: number): number {
  return 2 + Math.max(0, items - 1);
}

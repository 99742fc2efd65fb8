// Control characters move cursors, colour text and hide it; bidirectional marks reorder it (Unicode TR 36, "Trojan Source").
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text from outside, fit for a terminal: control characters are shown as visible pictures, on one line. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

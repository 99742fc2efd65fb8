/** A token of JSON and the white space before it: punctuation, text, or another scalar. */
const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[ !#-[\]-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null))/uy;

type Wanted = 'value' | 'first entry' | 'key' | 'first key' | 'colon' | 'comma' | 'end';

const WORDS: Record<Wanted, string> = {
  value: 'a value',
  'first entry': 'a value or "]"',
  key: 'a field name in double quotes',
  'first key': 'a field name in double quotes or "}"',
  colon: '":"',
  comma: '"," or the closing bracket',
  end: 'the end of the file',
};

/**
 * Where a text stops being JSON and what should stand there, or null when it is JSON. `JSON.parse` decides; but it names no
 * place for some faults, and its words differ between versions of Node.
 */
export function jsonFault(text: string): { offset: number; message: string } | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    const { offset, wanted } = firstFault(text);
    return { offset, message: `is not JSON: here should be ${WORDS[wanted]}; fix it, or name the file .yaml` };
  }
}

function firstFault(text: string): { offset: number; wanted: Wanted } {
  const open: string[] = [];
  let wanted: Wanted = 'value';
  let offset = 0;
  for (;;) {
    TOKEN.lastIndex = offset;
    const token = TOKEN.exec(text);
    const next: Wanted | null = token === null ? null : after(wanted, kindOf(token), open);
    if (next === null) return { offset: offset + spaceAt(text, offset), wanted };
    wanted = next;
    offset = TOKEN.lastIndex;
  }
}

/** Punctuation stands for itself, `"` for text, `0` for any other scalar. */
function kindOf(token: RegExpExecArray): string {
  return token[1] ?? (token[2] === undefined ? '0' : '"');
}

/** What is wanted after a token, or null when the token is not what was wanted. Keeps track of the open brackets. */
function after(wanted: Wanted, token: string, open: string[]): Wanted | null {
  if (wanted === 'colon') return token === ':' ? 'value' : null;
  if ((wanted === 'key' || wanted === 'first key') && token === '"') return 'colon';
  if (wanted === 'value' || wanted === 'first entry') {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? '}' : ']');
      return token === '{' ? 'first key' : 'first entry';
    }
    if (token === '"' || token === '0') return open.length === 0 ? 'end' : 'comma';
  }
  if (wanted === 'comma' && token === ',') return open.at(-1) === '}' ? 'key' : 'value';
  const closes = wanted === 'comma' || wanted === 'first key' || wanted === 'first entry';
  if (!closes || token !== open.at(-1)) return null;
  open.pop();
  return open.length === 0 ? 'end' : 'comma';
}

function spaceAt(text: string, offset: number): number {
  return /^[ \t\r\n]*/.exec(text.slice(offset))?.[0].length ?? 0;
}

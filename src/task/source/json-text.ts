import { type Node, parseTree, parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { LineCounter } from 'yaml';
import { fact } from '../../messages/messages.ts';
import { type Entries, offsetsIn, type ReadText, repeatedFields, type TextFault } from './source.ts';

/**
 * Where a text stops being JSON; null if it is JSON. `JSON.parse` decides, but its places are incomplete, and its words differ
 * between versions of Node.
 */
export function jsonFault(text: string): TextFault | null {
  try {
    JSON.parse(text);
    return null;
  } catch {
    const faults: ParseError[] = [];
    parse(text, faults, { disallowComments: true });
    const [fault] = faults;
    const code = fault === undefined ? '' : printParseErrorCode(fault.error);
    return { offset: fault?.offset ?? 0, what: fact('json_invalid', { error: code }) };
  }
}

/** Each field of an object takes two levels. */
const MAX_DEPTH = 1_000;

/**
 * Parses JSON and finds repeated fields. The places come from a parser of JSON, since that of YAML takes ten times as long, and
 * proofs have hundreds of kilobytes.
 */
export function jsonText(text: string, lines: LineCounter): ReadText {
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  const fault = jsonFault(text);
  if (fault !== null) return { ok: false, faults: [fault] };
  const value: unknown = JSON.parse(text);
  const root = parseTree(text);
  const faults = repeatedIn(root);
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, value, offsetOf: offsetsIn({ offset: root?.offset ?? 0, node: root ?? null }, entriesIn) };
}

/** Fields that an object has twice, in order. @throws RangeError if the text is nested too deep. */
function repeatedIn(root: Node | undefined): TextFault[] {
  const faults: TextFault[] = [];
  const left = root === undefined ? [] : [{ node: root, depth: 0 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, depth } = next;
    if (depth > MAX_DEPTH) throw new RangeError(`nested deeper than ${MAX_DEPTH}`);
    const { children = [], type } = node;
    if (type === 'object') {
      const keys = children.flatMap(({ children: [key] = [] }) => key ?? []);
      faults.push(...repeatedFields(keys.map(({ value: name, offset }) => ({ name, offset }))));
    }
    left.push(...children.toReversed().map((child) => ({ node: child, depth: depth + 1 })));
  }
  return faults;
}

function entriesIn({ type, children = [] }: Node): Entries<Node> {
  if (type === 'array') return new Map(children.map((node, index) => [String(index), { offset: node.offset, node }]));
  return new Map(
    children.flatMap(({ children: [key, node = null] = [] }) =>
      key === undefined ? [] : [[String(key.value), { offset: key.offset, node }] as const],
    ),
  );
}

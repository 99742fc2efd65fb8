import { type Node, parseTree, parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { LineCounter } from 'yaml';
import { GIVEN_TWICE, type ReadText, type TextFault } from './source.ts';

/** Name what should stand where the text stops being JSON, by the parser's name for the fault. */
const WANTED: Record<string, string> = {
  InvalidSymbol: 'text in double quotes, a number, true, false or null',
  PropertyNameExpected: 'a field name in double quotes',
  ValueExpected: 'a value',
  ColonExpected: '":"',
  CommaExpected: '"," or the closing bracket',
  CloseBraceExpected: '"," or the closing bracket',
  CloseBracketExpected: '"," or the closing bracket',
  EndOfFileExpected: 'the end of the file',
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
    const faults: ParseError[] = [];
    parse(text, faults, { disallowComments: true });
    const [fault] = faults;
    const wanted = fault === undefined ? undefined : WANTED[printParseErrorCode(fault.error)];
    const message = `is not JSON: here should be ${wanted ?? 'well-formed text or a number, and no comment'}; fix it, or name the file .yaml`;
    return { offset: fault?.offset ?? 0, message };
  }
}

/** Deepest nesting, of which each field of an object takes two. */
const MAX_DEPTH = 1_000;

/**
 * Parses JSON by JSON's own parser, and finds fields given twice. Its places come from a parser of JSON: the one of YAML,
 * which takes JSON too, takes ten times as long, and the proofs of a suite have hundreds of kilobytes.
 */
export function jsonText(text: string, lines: LineCounter): ReadText {
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  const fault = jsonFault(text);
  if (fault !== null) return { ok: false, faults: [fault] };
  const value: unknown = JSON.parse(text);
  const root = parseTree(text);
  const faults = repeatedFields(root);
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, value, offsetOf: offsetsIn(root) };
}

/**
 * Fields that an object has twice, in the order of the text.
 * @throws RangeError where lists and objects lie deeper in each other than whoever walks the value can go.
 */
function repeatedFields(root: Node | undefined): TextFault[] {
  const faults: TextFault[] = [];
  const left = root === undefined ? [] : [{ node: root, depth: 0 }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { node, depth } = next;
    if (depth > MAX_DEPTH) throw new RangeError(`nested deeper than ${MAX_DEPTH}`);
    const { children = [], type } = node;
    if (type === 'object') faults.push(...repeatedIn(children));
    left.push(...children.toReversed().map((child) => ({ node: child, depth: depth + 1 })));
  }
  return faults;
}

function repeatedIn(properties: readonly Node[]): TextFault[] {
  const names = new Set<unknown>();
  return properties.flatMap(({ children: [key] = [] }) => {
    if (key === undefined) return [];
    if (names.has(key.value)) return [{ offset: key.offset, message: GIVEN_TWICE }];
    names.add(key.value);
    return [];
  });
}

interface Entry {
  offset: number;
  node: Node | undefined;
}

/** Tells where a path stands, as `offsetsIn` of a YAML document does. */
function offsetsIn(root: Node | undefined): (path: readonly (string | number)[]) => number {
  const known = new Map<Node, Map<string, Entry>>();
  const entriesOf = (node: Node): Map<string, Entry> => {
    const entries = known.get(node) ?? entriesIn(node);
    known.set(node, entries);
    return entries;
  };
  return (path) => {
    let node = root;
    let offset = root?.offset ?? 0;
    for (const part of path) {
      const found: Entry | undefined = node === undefined ? undefined : entriesOf(node).get(String(part));
      if (found === undefined) return offset;
      ({ offset, node } = found);
    }
    return offset;
  };
}

function entriesIn({ type, children = [] }: Node): Map<string, Entry> {
  if (type === 'array') return new Map(children.map((node, index) => [String(index), { offset: node.offset, node }]));
  return new Map(
    children.flatMap(({ children: [key, node] = [] }): [string, Entry][] =>
      key === undefined ? [] : [[String(key.value), { offset: key.offset, node }]],
    ),
  );
}

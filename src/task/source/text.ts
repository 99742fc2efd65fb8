import { isAlias, isMap, isScalar, isSeq, LineCounter, type Document, type Node } from 'yaml';
import type { Path } from '../../contract/validation/problem.ts';
import { jsonText } from './json-text.ts';
import type { Position, ReadSource, ReadText, TextFault } from './source.ts';
import { yamlDocument, yamlFaults } from './yaml.ts';

/** Most that aliases may multiply the values of a file. */
const MAX_ALIASES = 100;

/** Parses YAML 1.2 or JSON, and knows afterwards where in the text each value stands. */
export function parseText(text: string, format: 'yaml' | 'json'): ReadSource {
  const lines = new LineCounter();
  const placeAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const failed = (faults: readonly TextFault[]): ReadSource => ({
    ok: false,
    problems: faults.map(({ offset, message }) => ({ ...placeAt(offset), path: [], message })),
  });
  try {
    const read = format === 'json' ? jsonText(text, lines) : yamlText(text, lines);
    if (!read.ok) return failed(read.faults);
    const { value, offsetOf } = read;
    return { ok: true, value: { value, placeOf: (path) => placeAt(offsetOf(path)) } };
  } catch (error) {
    return failed([{ offset: 0, message: refusal(error) }]);
  }
}

function yamlText(text: string, lines: LineCounter): ReadText {
  const document = yamlDocument(text, lines);
  const faults = yamlFaults(document);
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, value: document.toJS({ maxAliasCount: MAX_ALIASES }), offsetOf: offsetsIn(document) };
}

/** Say what made the parser give up on a hostile text: it recurses, so deep nesting uses up its stack; and it counts aliases. */
function refusal(error: unknown): string {
  if (error instanceof RangeError) return 'is nested too deeply to be a task; flatten it';
  if (!(error instanceof ReferenceError)) throw error;
  return `has aliases that cannot be followed: ${error.message}; write the values out instead`;
}

interface Entry {
  offset: number | undefined;
  node: Node | null;
}

/**
 * Tells where a path stands in a document: at its own key or entry, or, where it is missing, at the nearest thing around it.
 * Remembers what it has seen of each list and map, so that many problems cost no more than a few.
 */
function offsetsIn(document: Document): (path: Path) => number {
  const known = new Map<Node, Map<string, Entry>>();
  const entriesOf = (node: Node): Map<string, Entry> => {
    const entries = known.get(node) ?? entriesIn(node, document);
    known.set(node, entries);
    return entries;
  };
  return (path) => {
    let node: Node | null = document.contents;
    let offset = node?.range?.[0] ?? 0;
    for (const part of path) {
      const found: Entry | undefined = node === null ? undefined : entriesOf(node).get(String(part));
      if (found === undefined) return offset;
      offset = found.offset ?? offset;
      node = found.node;
    }
    return offset;
  };
}

function entriesIn(node: Node, document: Document): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  const target = isAlias(node) ? node.resolve(document) : node;
  if (isSeq<Node>(target)) {
    for (const [index, item] of target.items.entries()) {
      entries.set(String(index), { offset: item.range?.[0], node: item });
    }
  }
  if (isMap<Node, Node | null>(target)) {
    for (const { key, value } of target.items) {
      if (isScalar(key)) entries.set(String(key.value), { offset: key.range?.[0], node: value });
    }
  }
  return entries;
}

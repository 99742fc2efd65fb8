import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  type Alias,
  type Document,
  type LineCounter,
  type Node,
  type Scalar,
  type YAMLError,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type Entries, offsetsIn, type ReadText, repeatedFields, type TextFault } from './source.ts';

const REMEDIES: Record<string, string> = {
  BAD_INDENT: 'align it with the lines that it belongs to, or close the bracket',
  BAD_SCALAR_START: 'put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'put a value that holds ": " in quotes',
  MISSING_CHAR: 'close the quote or bracket, or align the line',
  TAB_AS_INDENT: 'indent with spaces',
  TAG_RESOLVE_FAILED: 'leave the tag out',
};

/** Most that aliases may multiply the values of a file. */
const MAX_ALIASES = 100;

/**
 * Parses YAML 1.2. The parser does not look for fields given twice itself, since it takes quadratic time:
 * two minutes for a file of 280 kB.
 */
export function yamlText(text: string, lineCounter: LineCounter): ReadText {
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    prettyErrors: false,
    uniqueKeys: false,
    lineCounter,
  });
  const faults = yamlFaults(document);
  if (faults.length > 0) return { ok: false, faults };
  const { contents: node } = document;
  const offsetOf = offsetsIn<Node>({ offset: node?.range?.[0] ?? 0, node }, (each) => entriesIn(each, document));
  return { ok: true, value: document.toJS({ maxAliasCount: MAX_ALIASES }), offsetOf };
}

/** Everything that is wrong with a document as YAML: its syntax, fields given twice, aliases that stand for nothing. */
function yamlFaults(document: Document): TextFault[] {
  const repeated: TextFault[] = [];
  const unanchored: TextFault[] = [];
  const anchors = new Set<string>();
  for (const node of nodesIn(document)) {
    if (isAlias(node)) {
      if (anchors.has(node.source)) continue;
      const message = `alias *${node.source} has no anchor above it; write &${node.source} before the value it stands for`;
      unanchored.push({ offset: node.range?.[0] ?? 0, message });
      continue;
    }
    if (node.anchor !== undefined) anchors.add(node.anchor);
    if (isMap(node)) repeated.push(...repeatedIn(node));
  }
  const faults = [...[...document.errors, ...document.warnings].map(syntaxFault), ...repeated, ...unanchored];
  if (faults.length === 0 && document.contents === null) {
    faults.push({ offset: 0, message: 'is empty; write at least one field' });
  }
  return faults;
}

/** Every node, in the order of the text. The parser's own `visit` takes a quarter of the time of parsing. */
function* nodesIn({ contents }: Document): Generator<Alias | Scalar | YAMLMap | YAMLSeq> {
  const left: unknown[] = [contents];
  while (left.length > 0) {
    const next = left.pop();
    if (isPair(next)) left.push(next.value, next.key);
    else if (isAlias(next) || isScalar(next)) yield next;
    else if (isCollection(next)) {
      yield next;
      for (let index = next.items.length - 1; index >= 0; index -= 1) left.push(next.items[index]);
    }
  }
}

/** Finds the fields that a map has twice. */
function repeatedIn({ items }: YAMLMap): TextFault[] {
  const keys = items.flatMap(({ key }) => (isScalar(key) ? [key] : []));
  return repeatedFields(keys.map(({ value: name, range }) => ({ name, offset: range?.[0] ?? 0 })));
}

/** A fault of YAML's syntax in plain words, with its remedy. */
function syntaxFault({ code, message, pos: [offset] }: YAMLError): TextFault {
  if (code === 'MULTIPLE_DOCS') {
    return { offset, message: 'a second document starts here; write a list of tasks, or one file each' };
  }
  if (code === 'NON_STRING_KEY') return { offset, message: 'a field name must be text; use a plain word' };
  const remedy = REMEDIES[code] ?? 'check indentation, quotes and brackets here';
  return { offset, message: `is not YAML: ${message}; ${remedy}` };
}

function entriesIn(node: Node, document: Document): Entries<Node> {
  const target = isAlias(node) ? node.resolve(document) : node;
  if (isSeq<Node>(target)) {
    return new Map(target.items.map((item, index) => [String(index), { offset: item.range?.[0] ?? 0, node: item }]));
  }
  if (!isMap<Node, Node | null>(target)) return new Map();
  return new Map(
    target.items.flatMap(({ key, value }) =>
      isScalar(key) ? [[String(key.value), { offset: key.range?.[0] ?? 0, node: value }] as const] : [],
    ),
  );
}

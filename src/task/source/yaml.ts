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
import { fact } from '../../messages/messages.ts';
import { type Entries, offsetsIn, type ReadText, repeatedFields, type TextFault } from './source.ts';

/** Most that aliases may multiply the values of a file. */
const MAX_ALIASES = 100;

/** Parses YAML 1.2. The parser's own search for repeated fields is quadratic: two minutes for 280 kB. */
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

/** Syntax errors, repeated fields, and aliases without an anchor. */
function yamlFaults(document: Document): TextFault[] {
  const repeated: TextFault[] = [];
  const unanchored: TextFault[] = [];
  const anchors = new Set<string>();
  for (const node of nodesIn(document)) {
    if (isAlias(node)) {
      if (anchors.has(node.source)) continue;
      unanchored.push({ offset: node.range?.[0] ?? 0, what: fact('alias_without_anchor', { alias: node.source }) });
      continue;
    }
    if (node.anchor !== undefined) anchors.add(node.anchor);
    if (isMap(node)) repeated.push(...repeatedIn(node));
  }
  const faults = [...[...document.errors, ...document.warnings].map(syntaxFault), ...repeated, ...unanchored];
  if (faults.length === 0 && document.contents === null) {
    faults.push({ offset: 0, what: fact('file_empty') });
  }
  return faults;
}

/** Every node, in order. The parser's own `visit` takes a quarter of the time of parsing. */
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

function repeatedIn({ items }: YAMLMap): TextFault[] {
  const keys = items.flatMap(({ key }) => (isScalar(key) ? [key] : []));
  return repeatedFields(keys.map(({ value: name, range }) => ({ name, offset: range?.[0] ?? 0 })));
}

function syntaxFault({ code, message, pos: [offset] }: YAMLError): TextFault {
  if (code === 'MULTIPLE_DOCS') return { offset, what: fact('second_document') };
  if (code === 'NON_STRING_KEY') return { offset, what: fact('field_name_not_text') };
  return { offset, what: fact('yaml_invalid', { why: message, error: code }) };
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

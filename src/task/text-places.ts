import { isAlias, isMap, isScalar, isSeq, type Document, type Node } from 'yaml';
import type { Path } from '../contract/problem.ts';

interface Entry {
  offset: number | undefined;
  node: Node | null;
}

type Entries = Map<string, Entry>;

/**
 * Tells where a path stands in a document: at its own key or entry, or, where it is missing, at the nearest thing around it.
 * Remembers what it has seen of each list and map, so that many problems cost no more than a few.
 */
export function offsetsIn(document: Document): (path: Path) => number {
  const known = new Map<Node, Entries>();
  const entriesOf = (node: Node): Entries => {
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

function entriesIn(node: Node, document: Document): Entries {
  const entries: Entries = new Map();
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

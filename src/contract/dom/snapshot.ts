import { z } from 'zod';

/**
 * The computed styles that a capture asks `DOMSnapshot.captureSnapshot` for, in this order.
 * They are what rendered text depends on.
 */
export const SNAPSHOT_STYLES = ['display', 'visibility', 'white-space-collapse', 'content-visibility'] as const;

// Without a schema for each number: a page may have millions.
const indices = z.custom<number[]>(areIndices);
const lists = z.custom<number[][]>((value) => Array.isArray(value) && value.every(areIndices));
const rareValues = z.object({ index: indices, value: indices });
const rareFlags = z.object({ index: indices });

const Nodes = z.object({
  parentIndex: indices,
  nodeType: indices,
  shadowRootType: rareValues,
  nodeName: indices,
  nodeValue: indices,
  backendNodeId: indices,
  attributes: lists,
  inputChecked: rareFlags,
  optionSelected: rareFlags,
  contentDocumentIndex: rareValues,
  pseudoType: rareValues,
});

const Layout = z.object({ nodeIndex: indices, styles: lists, text: indices });

const SnapshotDocument = z.object({ documentURL: z.int(), frameId: z.int(), nodes: Nodes, layout: Layout });

/**
 * The result of the browser's `DOMSnapshot.captureSnapshot`, in its own format (Chrome DevTools Protocol, domain
 * DOMSnapshot), less the parts that no judgement reads: those are stripped. Numbers index into `strings`, −1 means none.
 * `documents[0]` is the target's main frame; the others are its same-process frames.
 */
export const Snapshot = z.object({
  documents: z.array(SnapshotDocument).min(1),
  strings: z.custom<string[]>(areStrings),
});
export type Snapshot = z.infer<typeof Snapshot>;
export type SnapshotDocument = z.infer<typeof SnapshotDocument>;

function areIndices(value: unknown): boolean {
  return Array.isArray(value) && value.every(Number.isSafeInteger);
}

function areStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

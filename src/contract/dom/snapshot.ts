import { z } from 'zod';
import { rule } from '../validation/wording.ts';

/** The computed styles that rendered text depends on, in the order of `DOMSnapshot.captureSnapshot`. */
export const SNAPSHOT_STYLES = ['display', 'visibility', 'white-space-collapse', 'content-visibility'] as const;

// Without a schema for each number: a page may have millions.
const indices = listOf<number>(Number.isSafeInteger, { type: 'integer' });
const lists = listOf<number[]>(areIndices, { type: 'array', items: { type: 'integer' } });
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
  /** Values of inputs and text areas. Absent in older evidence. */
  inputValue: rareValues.optional(),
  textValue: rareValues.optional(),
});

const Layout = z.object({ nodeIndex: indices, styles: lists, text: indices });

const SnapshotDocument = z.object({ documentURL: z.int(), frameId: z.int(), nodes: Nodes, layout: Layout });

/**
 * The result of `DOMSnapshot.captureSnapshot` (Chrome DevTools Protocol), less the parts that no judgement reads. Numbers index
 * into `strings`, −1 means none. `documents[0]` is the main frame of the target; the others are its same-process frames.
 */
export const Snapshot = z.object({
  documents: z.array(SnapshotDocument).min(1),
  strings: listOf<string>((each) => typeof each === 'string', { type: 'string' }),
});
export type Snapshot = z.infer<typeof Snapshot>;
export type SnapshotDocument = z.infer<typeof SnapshotDocument>;

function areIndices(value: unknown): boolean {
  return Array.isArray(value) && value.every(Number.isSafeInteger);
}

function listOf<T>(isEntry: (value: unknown) => boolean, items: { type: string; items?: { type: string } }) {
  const schema = z.custom<T[]>((value) => Array.isArray(value) && value.every(isEntry), rule('wrong_entries'));
  return schema.meta({ type: 'array', items });
}

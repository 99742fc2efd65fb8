import { z } from 'zod';
import { type Fact, type Param, StoredFact } from '../messages/message.ts';
import { wellFormed } from './strings.ts';
import { Verdict } from './verdict.ts';

const PREVIEW_LENGTH = 240;

/** A value that the judge saw, cut to {@link PREVIEW_LENGTH} characters (UTF-16 code units); `length` is of the whole. */
export const Observed = z.strictObject({ preview: z.string(), length: z.int() });
export type Observed = z.infer<typeof Observed>;

export const Judgement = z.strictObject({
  verdict: Verdict,
  /** The place of the node, for example `children.0.child`; empty for the root. */
  path: z.string(),
  kind: z.string(),
  expected: StoredFact,
  observed: Observed.nullable(),
  why: StoredFact,
  get children() {
    return z.array(Judgement);
  },
});
export type Judgement = z.infer<typeof Judgement>;

export interface Finding extends Pick<Judgement, 'verdict' | 'observed'> {
  expected: Fact;
  why: Fact;
}

/** The whole: it is cut only after redaction, see {@link forTheRecord}. */
export function observedAs(text: string): Observed {
  return { preview: text, length: text.length };
}

/**
 * A judgement as it is shown and stored. A page may spread a secret over elements, so `redact` sees the whole text before it is
 * cut. Half a surrogate pair becomes U+FFFD, since it has no canonical JSON.
 */
export function forTheRecord(judgement: Judgement, redact: (text: string) => string): Judgement {
  const { observed, why, children } = judgement;
  return {
    ...judgement,
    observed: observed === null ? null : cut(redact(observed.preview)),
    why: redactedFact(why, (text) => wellFormed(redact(text))),
    children: children.map((child) => forTheRecord(child, redact)),
  };
}

function redactedFact(stored: StoredFact, redact: (text: string) => string): StoredFact {
  if (typeof stored === 'string') return redact(stored);
  const redactParam = (value: Param): Param => {
    if (typeof value === 'string') return redact(value);
    return Array.isArray(value) ? value.map(redact) : value;
  };
  const params = Object.entries(stored.params).map(([name, value]) => [name, redactParam(value)] as const);
  return { ...stored, params: Object.fromEntries(params) };
}

function cut(text: string): Observed {
  return { preview: wellFormed(text.slice(0, PREVIEW_LENGTH)), length: text.length };
}

/** The first leaf that failed, else the first that was inconclusive; null after a pass. */
export function decisiveLeaf(judgement: Judgement): Judgement | null {
  if (judgement.verdict === 'pass') return null;
  // A `not` fails because its child passed, which has the observed value.
  if (judgement.kind === 'not' && judgement.verdict === 'fail') {
    return { ...judgement, observed: judgement.children[0]?.observed ?? null };
  }
  const decisive = judgement.children.find(({ verdict }) => verdict === judgement.verdict);
  return decisive === undefined ? judgement : decisiveLeaf(decisive);
}

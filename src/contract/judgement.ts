import { z } from 'zod';
import { type Fact, type Param, StoredFact } from '../messages/message.ts';
import { wellFormed } from './strings.ts';
import { Verdict } from './verdict.ts';

/** Longest preview of something observed, in characters. */
const PREVIEW_LENGTH = 240;

/** A value that the judge saw, cut to {@link PREVIEW_LENGTH} characters (UTF-16 code units); `length` is that of the whole. */
export const Observed = z.strictObject({ preview: z.string(), length: z.int() });
export type Observed = z.infer<typeof Observed>;

/** The judge's verdict on one node of a contract, and why. */
export const Judgement = z.strictObject({
  verdict: Verdict,
  /** Where the node is in its contract, for example `children.0.child`; empty for the root. */
  path: z.string(),
  kind: z.string(),
  expected: StoredFact,
  /** Null when there was nothing to observe. */
  observed: Observed.nullable(),
  why: StoredFact,
  get children() {
    return z.array(Judgement);
  },
});
export type Judgement = z.infer<typeof Judgement>;

/** The finding of an assertion; the evaluator adds path and kind. */
export interface Finding extends Pick<Judgement, 'verdict' | 'observed'> {
  expected: Fact;
  why: Fact;
}

/** Something observed, whole: it is cut only once it is redacted, see {@link forTheRecord}. */
export function observedAs(text: string): Observed {
  return { preview: text, length: text.length };
}

/**
 * A judgement as it may be shown and stored. What an assertion saw can hold a secret that no stored text has in one
 * piece (a page may spread it over elements), so `redact` looks at the whole, before anything is cut. Half a surrogate
 * pair, be it of the page's making or of the cut's, becomes U+FFFD: a lone one has no canonical JSON.
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

/** The leaf that decided against a contract: the first that failed, else the first that was inconclusive; null after a pass. */
export function decisiveLeaf(judgement: Judgement): Judgement | null {
  if (judgement.verdict === 'pass') return null;
  // A `not` fails because its child passed: the child says what was there.
  if (judgement.kind === 'not' && judgement.verdict === 'fail') {
    return { ...judgement, observed: judgement.children[0]?.observed ?? null };
  }
  const decisive = judgement.children.find(({ verdict }) => verdict === judgement.verdict);
  return decisive === undefined ? judgement : decisiveLeaf(decisive);
}

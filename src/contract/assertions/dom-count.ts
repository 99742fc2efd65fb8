import { z } from 'zod';
import { fact } from '../../messages/messages.ts';
import type { AssertionKind, Surroundings } from '../assertion-kind.ts';
import {
  Count,
  EVEN_IF_FIELDS_ARE_WRONG,
  Fresh,
  holds,
  Operator,
  PageScope,
  refuseWithFresh,
  Selector,
} from '../fields.ts';
import { capturedFrames } from '../dom/document.ts';
import { selectAll } from '../dom/select.ts';
import type { Evidence, PageEvidence } from '../evidence.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { leavesOf } from '../strings.ts';
import { each, looserCounts, withoutFresh } from '../loosening.ts';
import { judgePages, type PageFinding } from '../pages.ts';

const DomCount = z
  .strictObject({
    kind: z.literal('dom_count'),
    selector: Selector,
    op: Operator,
    value: Count,
    page: PageScope.optional(),
    fresh: Fresh,
  })
  .superRefine(refuseWithFresh, EVEN_IF_FIELDS_ARE_WRONG);
export type DomCountNode = z.infer<typeof DomCount>;

export const domCount: AssertionKind<typeof DomCount> = {
  version: 1,
  schema: DomCount,
  seedFields: ['kind', 'selector', 'op', 'value'],
  judge: judgeDomCount,
  literals: ({ value }) => leavesOf(value),
  asksForFresh: ({ fresh }) => fresh === true,
  proof: ({ fresh }) => (fresh === true ? 'asserted' : 'page'),
  loosened: (node) => ({ ...each(looserCounts(node), (count) => ({ ...node, ...count })), ...withoutFresh(node) }),
};

function judgeDomCount(node: DomCountNode, evidence: Evidence, { siblingUrls }: Surroundings): Finding {
  const { fresh = false, page: scope = 'last-active' } = node;
  const { op, value, selector } = node;
  const expected = fact('element_count', { fresh, op, value, selector });
  return judgePages(evidence, { fresh, scope, siblingUrls }, expected, (page) => judgePage(page, node));
}

function judgePage({ dom }: PageEvidence, { selector, op, value }: DomCountNode): PageFinding {
  if (!dom.captured) return { verdict: 'inconclusive', observed: null, why: fact('not_captured', { why: dom.why }) };
  const { frames, uncaptured } = capturedFrames(dom.value);
  const count = frames.reduce((sum, frame) => sum + selectAll(frame, selector).length, 0);
  const observed = observedAs(String(count));
  const [reason] = uncaptured;
  // More elements may be in frames that were not captured: they can only help `gte` and only harm `lte`.
  const canChange = op === 'gte' ? count < value : count <= value;
  if (reason !== undefined && canChange) {
    return { verdict: 'inconclusive', observed, why: fact('matches_incomplete', { count, why: reason }) };
  }
  return { verdict: holds(count, op, value) ? 'pass' : 'fail', observed, why: fact('matches_counted', { count }) };
}

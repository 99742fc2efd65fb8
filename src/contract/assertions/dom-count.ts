import { compare, describeComparison } from '../comparison.ts';
import { capturedFrames } from '../dom/document.ts';
import { selectAll } from '../dom/select.ts';
import type { Evidence, PageEvidence } from '../evidence.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { judgePages, type PageFinding } from '../pages.ts';
import type { ContractNode } from '../schema.ts';

/** How many elements a selector matches on a page, all of its frames and open shadow trees together. */
export function judgeDomCount(
  node: ContractNode<'dom_count'>,
  evidence: Evidence,
  siblingUrls: readonly string[],
): Finding {
  const { fresh = false, page: scope = 'last-active' } = node;
  const expected = `${fresh ? 'loaded anew, ' : ''}${describeComparison(node.op, node.value)} × ${node.selector}`;
  return judgePages(evidence, { fresh, scope, siblingUrls }, expected, (page) => judgePage(page, node));
}

function judgePage({ dom }: PageEvidence, { selector, op, value }: ContractNode<'dom_count'>): PageFinding {
  if (!dom.captured) return { verdict: 'inconclusive', observed: null, why: dom.why };
  const { frames, uncaptured } = capturedFrames(dom.value);
  const count = frames.reduce((sum, frame) => sum + selectAll(frame, selector).length, 0);
  const observed = observedAs(String(count));
  const [reason] = uncaptured;
  // More elements may be where we could not look: that can only help `gte`, and only harm `lte`.
  const canChange = op === 'gte' ? count < value : count <= value;
  if (reason !== undefined && canChange) {
    return { verdict: 'inconclusive', observed, why: `${count} matches, but ${reason}` };
  }
  return { verdict: compare(count, op, value) ? 'pass' : 'fail', observed, why: `${count} matches` };
}

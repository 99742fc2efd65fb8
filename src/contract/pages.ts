import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import type { Evidence, PageEvidence } from './evidence.ts';
import type { PageScope } from './fields.ts';
import type { Finding, Observed } from './judgement.ts';
import type { CapturedElement } from './dom/captured-tree.ts';
import { capturedFrames } from './dom/document.ts';
import { selectAll } from './dom/select.ts';
import { compilePattern } from './pattern.ts';
import { any, type Verdict } from './verdict.ts';

export interface PageFinding {
  verdict: Verdict;
  observed: Observed | null;
  why: Fact;
}

export interface PageSearch {
  /** On the page that the judge has loaded again only. */
  fresh?: boolean;
  scope: PageScope;
  /** Patterns of the `url` assertions under the same `and`. */
  siblingUrls: readonly string[];
}

/** A page, and why it may be out of scope; null if it is certainly in scope. */
interface Candidate {
  page: PageEvidence;
  doubt: Fact | null;
}

type Candidates = { known: true; pages: Candidate[] } | { known: false; why: Fact };

export function whyNoPages({ pages_missing: why }: Evidence): Fact {
  return why === undefined ? fact('no_open_page') : fact('not_captured', { why });
}

/**
 * Judges the pages in scope: one that passes suffices, and the finding is that of the page that decided. Without an open page
 * there is nothing to judge: closing them all must not make a `not` pass.
 */
export function judgePages(
  evidence: Evidence,
  search: PageSearch,
  expected: Fact,
  judge: (page: PageEvidence) => PageFinding,
): Finding {
  const candidates = search.fresh === true ? freshOnly(evidence) : candidatesOf(evidence, search);
  if (!candidates.known) return { verdict: 'inconclusive', expected, observed: null, why: candidates.why };
  if (candidates.pages.length === 0) {
    return { verdict: 'fail', expected, observed: null, why: fact('no_page_in_scope') };
  }
  const findings = candidates.pages.map(({ page, doubt }) => doubted(judge(page), doubt));
  const verdict = any(findings.map((finding) => finding.verdict));
  const decisive = findings.find((finding) => finding.verdict === verdict);
  return { verdict, expected, observed: decisive?.observed ?? null, why: decisive?.why ?? fact('no_page_in_scope') };
}

/** A page that may be out of scope cannot make the assertion pass. */
function doubted(finding: PageFinding, doubt: Fact | null): PageFinding {
  if (doubt === null || finding.verdict !== 'pass') return finding;
  return { ...finding, verdict: 'inconclusive', why: doubt };
}

function candidatesOf(evidence: Evidence, search: PageSearch): Candidates {
  const { pages, last_active: active } = evidence;
  if (pages.length === 0) return { known: false, why: whyNoPages(evidence) };
  if (search.scope === 'any') return { known: true, pages: pages.map((page) => ({ page, doubt: null })) };
  if (search.scope === 'match') return matching(pages, search.siblingUrls);
  const found = pages.filter(({ id }) => id === active);
  if (found.length === 0) return { known: false, why: fact('last_active_unknown') };
  return { known: true, pages: found.map((page) => ({ page, doubt: null })) };
}

function freshOnly({ fresh }: Evidence): Candidates {
  if (!fresh.captured) return { known: false, why: fact('not_loaded_fresh', { why: fresh.why }) };
  return { known: true, pages: [{ page: fresh.value, doubt: null }] };
}

function matching(pages: readonly PageEvidence[], siblingUrls: readonly string[]): Candidates {
  if (siblingUrls.length === 0) return { known: false, why: fact('no_sibling_url') };
  const patterns = siblingUrls.map(compilePattern);
  const candidates = pages.flatMap((page): Candidate[] => {
    const { url } = page;
    if (!url.captured) return [{ page, doubt: fact('page_url_unknown', { page: page.id, why: url.why }) }];
    return patterns.every((matches) => matches(url.value)) ? [{ page, doubt: null }] : [];
  });
  return { known: true, pages: candidates };
}

/** Judges the first element of a page that a selector matches; fails without one. */
export function judgeFirst(
  { dom }: PageEvidence,
  selector: string,
  judge: (element: CapturedElement) => PageFinding,
): PageFinding {
  if (!dom.captured) return { verdict: 'inconclusive', observed: null, why: fact('not_captured', { why: dom.why }) };
  const { frames, uncaptured } = capturedFrames(dom.value);
  for (const [index, frame] of frames.entries()) {
    const [element] = selectAll(frame, selector);
    if (element === undefined) continue;
    // Only a match in the main frame is certainly the first: an uncaptured frame may come before this one.
    if (index > 0 && uncaptured.length > 0) break;
    return judge(element);
  }
  const [reason] = uncaptured;
  if (reason !== undefined) {
    return { verdict: 'inconclusive', observed: null, why: fact('first_match_unknown', { selector, why: reason }) };
  }
  return { verdict: 'fail', observed: null, why: fact('nothing_matches', { selector }) };
}

import type { Captured, Evidence, PageEvidence } from './evidence.ts';
import type { PageScope } from './fields.ts';
import type { Finding, Observed } from './judgement.ts';
import { compilePattern } from './pattern.ts';
import { any, type Verdict } from './verdict.ts';

/** The finding of an assertion on one page. */
export interface PageFinding {
  verdict: Verdict;
  observed: Observed | null;
  why: string;
}

/** Where to look. */
export interface PageSearch {
  /** At the page that the judge has loaded anew, and at none that is open. */
  fresh?: boolean;
  scope: PageScope;
  /** Patterns of the `url` assertions beside this one. */
  siblingUrls: readonly string[];
}

/** Why nothing can be said of a browser without tabs. */
export const NO_PAGE = 'no page is open';

/** A page, and why it is not known whether it is in scope; null when it is. */
interface Candidate {
  page: PageEvidence;
  doubt: string | null;
}

/**
 * Judges the pages in scope: one that passes suffices. The finding is that of the page that decided. When no page is
 * open there is nothing to judge: to close them all must not make a `not` pass.
 */
export function judgePages(
  evidence: Evidence,
  search: PageSearch,
  expected: string,
  judge: (page: PageEvidence) => PageFinding,
): Finding {
  const candidates = search.fresh === true ? freshOnly(evidence) : candidatesOf(evidence, search);
  if (!candidates.captured) return { verdict: 'inconclusive', expected, observed: null, why: candidates.why };
  if (candidates.value.length === 0) {
    return { verdict: 'fail', expected, observed: null, why: 'no open page is in scope' };
  }
  const findings = candidates.value.map(({ page, doubt }) => doubted(judge(page), doubt));
  const verdict = any(findings.map((finding) => finding.verdict));
  const decisive = findings.find((finding) => finding.verdict === verdict);
  return { verdict, expected, observed: decisive?.observed ?? null, why: decisive?.why ?? '' };
}

/** A page that may be out of scope cannot make the assertion pass; one that fails does not help it either way. */
function doubted(finding: PageFinding, doubt: string | null): PageFinding {
  if (doubt === null || finding.verdict !== 'pass') return finding;
  return { ...finding, verdict: 'inconclusive', why: doubt };
}

function candidatesOf(
  { pages, pages_missing: why = NO_PAGE, last_active: active }: Evidence,
  search: PageSearch,
): Captured<Candidate[]> {
  if (pages.length === 0) return { captured: false, why };
  if (search.scope === 'any') return { captured: true, value: pages.map((page) => ({ page, doubt: null })) };
  if (search.scope === 'match') return matching(pages, search.siblingUrls);
  const found = pages.filter(({ id }) => id === active);
  if (found.length === 0) return { captured: false, why: 'it is not known which page was active last' };
  return { captured: true, value: found.map((page) => ({ page, doubt: null })) };
}

function freshOnly({ fresh }: Evidence): Captured<Candidate[]> {
  if (!fresh.captured) return { captured: false, why: `the page was not loaded anew: ${fresh.why}` };
  return { captured: true, value: [{ page: fresh.value, doubt: null }] };
}

function matching(pages: readonly PageEvidence[], siblingUrls: readonly string[]): Captured<Candidate[]> {
  if (siblingUrls.length === 0) {
    return { captured: false, why: 'no "url" assertion beside it says which pages are meant' };
  }
  const patterns = siblingUrls.map(compilePattern);
  const value = pages.flatMap((page): Candidate[] => {
    const { url } = page;
    if (!url.captured) return [{ page, doubt: `the URL of ${page.id} is not known: ${url.why}` }];
    return patterns.every((matches) => matches(url.value)) ? [{ page, doubt: null }] : [];
  });
  return { captured: true, value };
}

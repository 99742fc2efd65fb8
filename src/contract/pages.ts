import type { Captured, Evidence, PageEvidence } from './evidence.ts';
import type { Finding, Observed } from './judgement.ts';
import { compilePattern } from './pattern.ts';
import { any, type Verdict } from './verdict.ts';

/**
 * Which tabs an assertion is about: the one that was active last (the default), any open tab, or those whose URL the
 * `url` assertions beside it (under the same `and`) match.
 */
export type PageScope = 'last-active' | 'any' | 'match';

/** What an assertion finds on one page. */
export interface PageFinding {
  verdict: Verdict;
  observed: Observed | null;
  why: string;
}

/** Where to look. */
export interface PageSearch {
  scope: PageScope;
  /** Patterns of the `url` assertions beside this one. */
  siblingUrls: readonly string[];
}

/** Judges the pages in scope: one that passes suffices. The finding is that of the page that decided. */
export function judgePages(
  evidence: Evidence,
  search: PageSearch,
  expected: string,
  judge: (page: PageEvidence) => PageFinding,
): Finding {
  const pages = pagesInScope(evidence, search);
  if (!pages.captured) return { verdict: 'inconclusive', expected, observed: null, why: pages.why };
  if (pages.value.length === 0) {
    const why = evidence.pages.length === 0 ? 'no page is open' : 'no open page is in scope';
    return { verdict: 'fail', expected, observed: null, why };
  }
  const findings = pages.value.map(judge);
  const verdict = any(findings.map((finding) => finding.verdict));
  const decisive = findings.find((finding) => finding.verdict === verdict);
  return { verdict, expected, observed: decisive?.observed ?? null, why: decisive?.why ?? '' };
}

function pagesInScope({ pages, last_active: active }: Evidence, { scope, siblingUrls }: PageSearch): Captured<PageEvidence[]> {
  if (scope === 'any') return { captured: true, value: pages };
  if (scope === 'last-active') return { captured: true, value: pages.filter(({ id }) => id === active) };
  const unread = pages.find(({ url }) => !url.captured);
  if (unread !== undefined && !unread.url.captured) return unread.url;
  const patterns = siblingUrls.map(compilePattern);
  return {
    captured: true,
    value: pages.filter(({ url }) => url.captured && patterns.every((matches) => matches(url.value))),
  };
}

import type { Evidence } from '../evidence.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { judgePages } from '../pages.ts';
import { compilePattern } from '../pattern.ts';
import type { ContractNode } from '../schema.ts';

/** The page's URL, as the browser's own history has it, matches a pattern. */
export function judgeUrl({ pattern, page = 'last-active' }: ContractNode<'url'>, evidence: Evidence): Finding {
  const matches = compilePattern(pattern);
  const search = { scope: page, siblingUrls: [pattern] };
  return judgePages(evidence, search, `URL matches ${pattern}`, ({ url }) => {
    if (!url.captured) return { verdict: 'inconclusive', observed: null, why: url.why };
    const found = matches(url.value);
    return {
      verdict: found ? 'pass' : 'fail',
      observed: observedAs(url.value),
      why: found ? 'the URL matches' : 'the URL does not match',
    };
  });
}

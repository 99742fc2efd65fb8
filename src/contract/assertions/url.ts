import { z } from 'zod';
import { fact } from '../../messages/messages.ts';
import type { AssertionKind } from '../assertion-kind.ts';
import type { Evidence } from '../evidence.ts';
import { Pattern } from '../fields.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { rule } from '../validation/wording.ts';
import { piecesOf } from '../strings.ts';
import { each, unanchored } from '../loosening.ts';
import { judgePages } from '../pages.ts';
import { compilePattern } from '../pattern.ts';

const Url = z.strictObject({
  kind: z.literal('url'),
  pattern: Pattern,
  page: z
    .enum(['last-active', 'any'], {
      error: ({ input }) => (input === 'match' ? rule('match_in_url') : undefined),
    })
    .optional(),
});

export const url: AssertionKind<typeof Url> = {
  version: 1,
  schema: Url,
  seedFields: ['kind', 'pattern'],
  judge: judgeUrl,
  literals: ({ pattern }) => piecesOf(pattern),
  asksForFresh: () => false,
  proof: () => 'page',
  loosened: (node) => each(unanchored(node.pattern), (pattern) => ({ ...node, pattern })),
};

function judgeUrl({ pattern, page = 'last-active' }: z.infer<typeof Url>, evidence: Evidence): Finding {
  const matches = compilePattern(pattern);
  const search = { scope: page, siblingUrls: [pattern] };
  return judgePages(evidence, search, fact('url_matches', { pattern }), ({ url: address }) => {
    if (!address.captured)
      return { verdict: 'inconclusive', observed: null, why: fact('not_captured', { why: address.why }) };
    const found = matches(address.value);
    return {
      verdict: found ? 'pass' : 'fail',
      observed: observedAs(address.value),
      why: fact('url_compared', { matches: found }),
    };
  });
}

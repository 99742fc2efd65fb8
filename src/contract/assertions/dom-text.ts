import { z } from 'zod';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import type { AssertionKind, Surroundings } from '../assertion-kind.ts';
import { renderedText } from '../dom/rendered-text.ts';
import type { Evidence } from '../evidence.ts';
import {
  EVEN_IF_FIELDS_ARE_WRONG,
  exactlyOne,
  Fresh,
  PageScope,
  Pattern,
  refuseWithFresh,
  Selector,
  Text,
} from '../fields.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { leavesOf, normaliseText, piecesOf } from '../strings.ts';
import { each, unanchored, withoutFresh } from '../loosening.ts';
import { judgeFirst, judgePages } from '../pages.ts';
import { compilePattern } from '../pattern.ts';
import type { DomCountNode } from './dom-count.ts';

const DomText = z
  .strictObject({
    kind: z.literal('dom_text'),
    selector: Selector.optional(),
    contains: Text.optional(),
    equals: Text.optional(),
    matches: Pattern.optional(),
    page: PageScope.optional(),
    fresh: Fresh,
  })
  .superRefine((node, context) => {
    exactlyOne(node, ['contains', 'equals', 'matches'], context);
    refuseWithFresh(node, context);
  }, EVEN_IF_FIELDS_ARE_WRONG);
type DomTextNode = z.infer<typeof DomText>;

export const domText: AssertionKind<typeof DomText, DomCountNode> = {
  version: 1,
  schema: DomText,
  seedFields: ['kind', 'selector', 'contains'],
  judge: judgeDomText,
  literals: ({ contains, equals, matches }) => [...leavesOf([contains, equals]), ...piecesOf(matches)],
  asksForFresh: ({ fresh }) => fresh === true,
  proof: ({ fresh }) => (fresh === true ? 'asserted' : 'page'),
  loosened: (node) => ({ ...looserText(node), ...withoutFresh(node) }),
};

function judgeDomText(node: DomTextNode, evidence: Evidence, { siblingUrls }: Surroundings): Finding {
  const selector = node.selector ?? 'body';
  const { fresh = false, page: scope = 'last-active' } = node;
  const { holds, expected } = expectationOf(node, { fresh, selector });
  return judgePages(evidence, { fresh, scope, siblingUrls }, expected, (page) =>
    judgeFirst(page, selector, (element) => {
      const text = normaliseText(renderedText(element));
      const found = holds(text);
      const why = fact('text_compared', { selector, holds: found });
      return { verdict: found ? 'pass' : 'fail', observed: observedAs(text), why };
    }),
  );
}

interface Expectation {
  expected: Fact;
  holds: (text: string) => boolean;
}

function expectationOf(
  { contains, equals, matches }: DomTextNode,
  place: { fresh: boolean; selector: string },
): Expectation {
  if (matches !== undefined) {
    return { holds: compilePattern(matches), expected: fact('text_matches', { ...place, pattern: matches }) };
  }
  if (equals !== undefined) {
    const whole = normaliseText(equals);
    return { holds: (text) => text === whole, expected: fact('text_equals', { ...place, text: whole }) };
  }
  // Empty text is found everywhere, so it would pass without a comparison.
  if (contains === undefined) throw new Error('has neither contains nor equals nor matches');
  const part = normaliseText(contains);
  return { holds: (text) => text.includes(part), expected: fact('text_contains', { ...place, text: part }) };
}

function looserText(node: DomTextNode): Record<string, DomTextNode | DomCountNode> {
  const { contains, equals, matches, ...rest } = node;
  if (equals !== undefined) return { contains: { ...rest, contains: equals } };
  if (matches !== undefined) return each(unanchored(matches), (pattern) => ({ ...rest, matches: pattern }));
  const { selector, ...others } = rest;
  return selector === undefined || contains === undefined
    ? {}
    : { any_text: { ...others, kind: 'dom_count', selector, op: 'gte', value: 1 } };
}

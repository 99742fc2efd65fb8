import { z } from 'zod';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import type { AssertionKind, Surroundings } from '../assertion-kind.ts';
import type { CapturedElement } from '../dom/captured-tree.ts';
import { fieldValueOf } from '../dom/field-value.ts';
import type { Evidence } from '../evidence.ts';
import {
  EVEN_IF_FIELDS_ARE_WRONG,
  exactlyOne,
  Fresh,
  PageScope,
  Pattern,
  refuseWithFresh,
  Selector,
} from '../fields.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { each, unanchored, withoutFresh } from '../loosening.ts';
import { judgeFirst, judgePages, type PageFinding } from '../pages.ts';
import { compilePattern } from '../pattern.ts';
import { leavesOf, piecesOf } from '../strings.ts';
import { rule } from '../validation/wording.ts';

const FieldValue = z
  .strictObject({
    kind: z.literal('field_value'),
    selector: Selector,
    contains: z.string().min(1, rule('text_empty')).optional(),
    equals: z.string().optional(),
    matches: Pattern.optional(),
    page: PageScope.optional(),
    fresh: Fresh,
  })
  .superRefine((node, context) => {
    exactlyOne(node, ['contains', 'equals', 'matches'], context);
    refuseWithFresh(node, context);
  }, EVEN_IF_FIELDS_ARE_WRONG);
type FieldValueNode = z.infer<typeof FieldValue>;

export const fieldValue: AssertionKind<typeof FieldValue> = {
  version: 1,
  schema: FieldValue,
  seedFields: null,
  judge: judgeFieldValue,
  literals: ({ contains, equals, matches }) => [...leavesOf([contains, equals]), ...piecesOf(matches)],
  asksForFresh: ({ fresh }) => fresh === true,
  proof: ({ fresh }) => (fresh === true ? 'asserted' : 'page'),
  loosened: (node) => ({ ...looserValue(node), ...withoutFresh(node) }),
};

function judgeFieldValue(node: FieldValueNode, evidence: Evidence, { siblingUrls }: Surroundings): Finding {
  const { selector, fresh = false, page: scope = 'last-active' } = node;
  const { expected, holds } = expectationOf(node, { fresh, selector });
  return judgePages(evidence, { fresh, scope, siblingUrls }, expected, (page) =>
    judgeFirst(page, selector, (element) => judgeField(element, selector, holds)),
  );
}

function judgeField(element: CapturedElement, selector: string, holds: (text: string) => boolean): PageFinding {
  const value = fieldValueOf(element);
  if (value === 'none') return { verdict: 'fail', observed: null, why: fact('field_absent', { selector }) };
  if (value === 'secret') return { verdict: 'inconclusive', observed: null, why: fact('field_redacted', { selector }) };
  if (value === 'not_captured') {
    const why = fact('not_captured', { why: 'the values of fields were not recorded' });
    return { verdict: 'inconclusive', observed: null, why };
  }
  const found = holds(value.text);
  const why = fact('field_compared', { selector, holds: found });
  return { verdict: found ? 'pass' : 'fail', observed: observedAs(value.text), why };
}

/** Texts are compared as they are: white space in a field is part of what is sent. */
function expectationOf(
  { contains, equals, matches }: FieldValueNode,
  place: { fresh: boolean; selector: string },
): { expected: Fact; holds: (text: string) => boolean } {
  if (matches !== undefined) {
    return { holds: compilePattern(matches), expected: fact('field_matches', { ...place, pattern: matches }) };
  }
  if (equals !== undefined) {
    return { holds: (text) => text === equals, expected: fact('field_equals', { ...place, text: equals }) };
  }
  if (contains === undefined) throw new Error('has neither contains nor equals nor matches');
  return { holds: (text) => text.includes(contains), expected: fact('field_contains', { ...place, text: contains }) };
}

function looserValue(node: FieldValueNode): Record<string, FieldValueNode> {
  const { contains, equals, matches, ...rest } = node;
  if (contains !== undefined) return { any_value: { ...rest, matches: '(?s).' } };
  if (matches !== undefined) return each(unanchored(matches), (pattern) => ({ ...rest, matches: pattern }));
  return equals === undefined || equals === '' ? {} : { contains: { ...rest, contains: equals } };
}

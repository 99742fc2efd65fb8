import { z } from 'zod';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import type { AssertionKind } from '../assertion-kind.ts';
import { Answer, type Evidence } from '../evidence.ts';
import { EVEN_IF_FIELDS_ARE_WRONG, exactlyOne, onlyWith, Text } from '../fields.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { rule } from '../validation/wording.ts';
import { leavesOf, normaliseText } from '../strings.ts';

/** `digits` × 10^`exponent`. */
export interface Decimal {
  digits: bigint;
  exponent: number;
}

// At most three digits of exponent, or a few characters could take megabytes.
const PLAIN = /^([+-]?\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/** Reads a number as JavaScript and JSON write it; null if it is not one. */
export function parseDecimal(text: string): Decimal | null {
  const [, whole, fraction = '', power = '0'] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return null;
  return { digits: BigInt(`${whole.replace('+', '')}${fraction}`), exponent: Number(power) - fraction.length };
}

/** Whether two numbers are at most `tolerance` apart, without the rounding of binary fractions. */
export function isWithin(a: Decimal, b: Decimal, tolerance: Decimal): boolean {
  const exponent = Math.min(a.exponent, b.exponent, tolerance.exponent);
  const scaled = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent);
  const difference = scaled(a) - scaled(b);
  return (difference < 0n ? -difference : difference) <= scaled(tolerance);
}

const AnswerKind = z
  .strictObject({
    kind: z.literal('answer'),
    one_of: z.array(Text).min(1).optional(),
    ignore_case: z.boolean().optional(),
    number: z.number().optional(),
    tolerance: z.number().min(0).optional(),
    unit: Text.optional(),
    date: z.iso.date(rule('not_a_date')).optional(),
    not_possible: z.literal(true).optional(),
  })
  .superRefine((node, context) => {
    exactlyOne(node, ['one_of', 'number', 'date', 'not_possible'], context);
    onlyWith(node, 'number', ['tolerance', 'unit'], context);
    onlyWith(node, 'one_of', ['ignore_case'], context);
  }, EVEN_IF_FIELDS_ARE_WRONG);
type AnswerNode = z.infer<typeof AnswerKind>;

export const answer: AssertionKind<typeof AnswerKind> = {
  version: 1,
  schema: AnswerKind,
  seedFields: null,
  judge: judgeAnswer,
  literals: ({ one_of: texts, number, date }) => leavesOf([texts, number, date]),
  asksForFresh: () => false,
  // Painting the page cannot make a wrong answer right, and the right answer does not show that anything was done.
  proof: () => 'nothing',
  loosened: looserAnswer,
};

/**
 * The one value that the agent gives as its answer; docs/contracts.md has the forms. The whole answer must be the value: prose,
 * quotes, mark-up or a final full stop fail. White space and invisible characters are normalised first. A JSON number is judged
 * by its text.
 */
function judgeAnswer(node: AnswerNode, evidence: Evidence): Finding {
  const expected = expectedOf(node);
  if (evidence.answer === null) return { verdict: 'fail', expected, observed: null, why: fact('no_answer') };
  const { data: given } = Answer.safeParse(evidence.answer);
  if (given === undefined) {
    return { verdict: 'inconclusive', expected, observed: null, why: fact('answer_malformed') };
  }
  const observed = observedAs('value' in given ? String(given.value) : 'not possible');
  const holds = isExpected(node, given);
  return { verdict: holds ? 'pass' : 'fail', expected, observed, why: fact('answer_compared', { holds }) };
}

function isExpected(node: AnswerNode, given: Answer): boolean {
  if ('not_possible' in given) return node.not_possible === true;
  if (node.not_possible === true) return false;
  const text = normaliseText(String(given.value));
  if (node.number !== undefined) return isNumber(text, node.number, node);
  if (node.date !== undefined) return text === node.date;
  const fold = (each: string): string => (node.ignore_case === true ? each.toLowerCase() : each);
  return oneOf(node).some((accepted) => fold(normaliseText(accepted)) === fold(text));
}

function isNumber(text: string, wanted: number, { tolerance = 0, unit = '' }: AnswerNode): boolean {
  const quantity = parseQuantity(text);
  const [target, reach] = [parseDecimal(String(wanted)), parseDecimal(String(tolerance))];
  if (quantity === null || target === null || reach === null) return false;
  return quantity.unit === normaliseText(unit) && isWithin(quantity.number, target, reach);
}

const SIGN = String.raw`^(?<sign>[+\-\u2212]?)(?<currency>\p{Sc}?) ?`;
const GROUPS = String.raw`[1-9]\d{0,2}(?:(?:,\d{3})+|(?: \d{3})+)`;
const REST = String.raw`(?<rest>(?:\.\d+)?(?:[eE][+\-]?\d{1,3})?)`;
const QUANTITY = new RegExp(`${SIGN}(?<whole>${GROUPS}|\\d+)${REST} ?(?<unit>.*)$`, 'u');

function parseQuantity(text: string): { number: Decimal; unit: string } | null {
  const { sign = '', currency = '', whole = '', rest = '', unit = '' } = QUANTITY.exec(text)?.groups ?? {};
  const number = parseDecimal(`${sign === '\u2212' ? '-' : sign}${whole.replaceAll(/[, ]/g, '')}${rest}`);
  if (number === null || (currency !== '' && unit !== '')) return null;
  return { number, unit: currency === '' ? unit : currency };
}

/** @throws Error when the node has no way to compare: every answer would fail it, and so pass its `not`. */
function oneOf({ one_of: texts }: AnswerNode): readonly string[] {
  if (texts === undefined) throw new Error('has neither one_of nor number nor date nor not_possible');
  return texts;
}

function expectedOf(node: AnswerNode): Fact {
  if (node.not_possible === true) return fact('answer_not_possible');
  if (node.date !== undefined) return fact('answer_date', { date: node.date });
  if (node.number === undefined) {
    const texts = oneOf(node).map((text) => `"${text}"`);
    return fact('answer_one_of', { several: texts.length > 1, texts });
  }
  const tolerance = node.tolerance === undefined ? '' : ` ± ${node.tolerance}`;
  const unit = node.unit === undefined ? '' : ` ${node.unit}`;
  return fact('answer_number', { number: `${node.number}${tolerance}${unit}` });
}

function looserAnswer(node: AnswerNode): Record<string, AnswerNode> {
  if (node.number !== undefined) return { one_off: { ...node, tolerance: (node.tolerance ?? 0) + 1 } };
  const hasCase = (node.one_of ?? []).some((text) => text.toLowerCase() !== text.toUpperCase());
  return hasCase && node.ignore_case !== true ? { any_case: { ...node, ignore_case: true } } : {};
}

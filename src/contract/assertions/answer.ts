import { type Decimal, isWithin, parseDecimal } from '../decimal.ts';
import { Answer, type Evidence } from '../evidence.ts';
import { type Finding, observedAs } from '../judgement.ts';
import type { ContractNode } from '../schema.ts';
import { normaliseText } from '../text.ts';

/**
 * Touchstone's own kind: the one value that the agent gives as its answer. The whole answer must be the value: prose,
 * quotes, mark-up or a final full stop around it fail. White space and invisible characters are normalised first
 * (`normaliseText`). An agent may give a number as a JSON number or as text; both are judged by their text.
 *
 * - `one_of`: equal to one of the texts; with `ignore_case` in any case.
 * - `number`: an optional sign (`+`, `-`, or the minus sign U+2212), digits, an optional fraction after a point, an
 *   optional exponent (`e` and up to three digits): `330`, `-0.5`, `3.3e2`. The digits may stand in groups of three, the
 *   first of one to three without a leading zero, parted by commas or by spaces: `1,234,567.8`, `1 234`. Neither `12,34`
 *   nor `0,5` is a number here. It is within `tolerance` (none: equal), exactly, as decimals are written.
 *   When a `unit` is stated it must follow, with or without a space, in the same case: `330 m`, `50%`; a currency sign may
 *   also stand before: `$5`, `-€5`. When none is stated, none may be there.
 * - `date`: as `YYYY-MM-DD`.
 * - `not_possible`: the agent says so in that form; the words as a text do not count, and no value fits it.
 */
export function judgeAnswer(node: ContractNode<'answer'>, evidence: Evidence): Finding {
  const expected = describe(node);
  if (evidence.answer === null) return { verdict: 'fail', expected, observed: null, why: 'the agent gave no answer' };
  const { data: answer } = Answer.safeParse(evidence.answer);
  if (answer === undefined) {
    const why = 'the recorded answer is neither one text or number nor "not possible"';
    return { verdict: 'inconclusive', expected, observed: null, why };
  }
  const observed = observedAs('value' in answer ? String(answer.value) : 'not possible');
  const holds = isExpected(node, answer);
  const why = `the answer ${holds ? 'is' : 'is not'} as expected`;
  return { verdict: holds ? 'pass' : 'fail', expected, observed, why };
}

function isExpected(node: ContractNode<'answer'>, answer: Answer): boolean {
  if ('not_possible' in answer) return node.not_possible === true;
  if (node.not_possible === true) return false;
  const text = normaliseText(String(answer.value));
  if (node.number !== undefined) return isNumber(text, node.number, node);
  if (node.date !== undefined) return text === node.date;
  const fold = (each: string): string => (node.ignore_case === true ? each.toLowerCase() : each);
  return oneOf(node).some((accepted) => fold(normaliseText(accepted)) === fold(text));
}

function isNumber(text: string, wanted: number, { tolerance = 0, unit = '' }: ContractNode<'answer'>): boolean {
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

/** @throws Error when the node says no way to compare: every answer would fail it, and so pass its `not`. */
function oneOf({ one_of: texts }: ContractNode<'answer'>): readonly string[] {
  if (texts === undefined) throw new Error('says neither one_of nor number nor date nor not_possible');
  return texts;
}

function describe(node: ContractNode<'answer'>): string {
  if (node.not_possible === true) return 'the answer is "not possible"';
  if (node.date !== undefined) return `the answer is the date ${node.date}`;
  if (node.number === undefined) {
    return `the answer is one of ${oneOf(node)
      .map((text) => `"${text}"`)
      .join(', ')}`;
  }
  const unit = node.unit === undefined ? '' : ` ${node.unit}`;
  return `the answer is ${node.number}${node.tolerance === undefined ? '' : ` ± ${node.tolerance}`}${unit}`;
}

import type { Answer, Evidence } from '../evidence.ts';
import { type Finding, observedAs } from '../judgement.ts';
import type { ContractNode } from '../schema.ts';
import { normaliseText } from '../text.ts';

/** Touchstone's own kind: the one value that the agent gives as its answer. Prose around the value fails. */
export function judgeAnswer(node: ContractNode<'answer'>, { answer }: Evidence): Finding {
  const expected = describe(node);
  if (answer === null) return { verdict: 'fail', expected, observed: null, why: 'the agent gave no answer' };
  const observed = observedAs('value' in answer ? String(answer.value) : 'not possible');
  const holds = isExpected(node, answer);
  return { verdict: holds ? 'pass' : 'fail', expected, observed, why: `the answer ${holds ? 'is' : 'is not'} as expected` };
}

function isExpected(node: ContractNode<'answer'>, answer: Answer): boolean {
  if ('not_possible' in answer) return node.not_possible === true;
  if (node.not_possible === true) return false;
  const text = normaliseText(String(answer.value));
  if (node.number !== undefined) return isNumber(text, node.number, node.tolerance ?? 0, node.unit);
  if (node.date !== undefined) return text === node.date;
  const fold = (each: string): string => (node.ignore_case === true ? normaliseText(each).toLowerCase() : normaliseText(each));
  return (node.one_of ?? []).some((accepted) => fold(accepted) === fold(text));
}

// An optional sign, digits with or without groups of three, an optional fraction and exponent, and what follows as the unit.
const QUANTITY = /^([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[+-]?\d+)?)\s*(.*)$/i;

function isNumber(text: string, wanted: number, tolerance: number, unit: string | undefined): boolean {
  const [, digits, found = ''] = QUANTITY.exec(text) ?? [];
  if (digits === undefined || found !== (unit ?? '')) return false;
  const difference = Math.abs(Number(digits.replaceAll(',', '')) - wanted);
  // Decimal fractions such as 0.1 have no exact binary form: allow for the rounding of one subtraction.
  return difference <= tolerance + Number.EPSILON * Math.max(Math.abs(wanted), tolerance);
}

function describe(node: ContractNode<'answer'>): string {
  if (node.not_possible === true) return 'the answer is "not possible"';
  if (node.date !== undefined) return `the answer is the date ${node.date}`;
  if (node.number === undefined) return `the answer is one of ${(node.one_of ?? []).map((text) => `"${text}"`).join(', ')}`;
  const unit = node.unit === undefined ? '' : ` ${node.unit}`;
  return `the answer is ${node.number}${node.tolerance === undefined ? '' : ` ± ${node.tolerance}`}${unit}`;
}

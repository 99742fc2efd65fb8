import { z } from 'zod';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import { isAnswer } from '../answer/match.ts';
import {
  type AnswerType,
  fieldProblems,
  ANSWER_FIELDS,
  type AnswerItem,
  answerTypeName,
  answerType,
  valueOf,
} from '../answer/type.ts';
import type { AssertionKind } from '../assertion-kind.ts';
import { Answer, type Evidence } from '../evidence.ts';
import { EVEN_IF_FIELDS_ARE_WRONG } from '../fields.ts';
import { type Finding, observedAs } from '../judgement.ts';
import { leavesOf } from '../strings.ts';

const AnswerKind = z
  .strictObject({ kind: z.literal('answer'), ...ANSWER_FIELDS, not_possible: z.literal(true).optional() })
  .superRefine((node, context) => {
    fieldProblems(node, context, ['not_possible']);
  }, EVEN_IF_FIELDS_ARE_WRONG);
type AnswerNode = z.infer<typeof AnswerKind>;

export const answer: AssertionKind<typeof AnswerKind> = {
  version: 2,
  versionOf: ({ number, not_possible: notPossible, unit, bare, locale }) => {
    const isPlain = unit === undefined && bare === undefined && locale === undefined;
    return notPossible === true || (number !== undefined && isPlain) ? 1 : 2;
  },
  schema: AnswerKind,
  seedFields: null,
  judge: judgeAnswer,
  literals: literalsIn,
  asksForFresh: () => false,
  // Painting the page cannot make an incorrect answer correct, and the correct answer does not show that anything was done.
  proof: () => 'nothing',
  loosened: looserAnswer,
};

/** The value that the agent gives as its answer, of a type; docs/contracts.md has the forms. */
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
  if ('not_possible' in given || node.not_possible === true)
    return 'not_possible' in given && node.not_possible === true;
  return isAnswer(node, given.value);
}

function expectedOf(node: AnswerNode): Fact {
  if (node.not_possible === true) return fact('answer_not_possible');
  if (node.date !== undefined) return fact('answer_date', { date: node.date });
  if (node.one_of !== undefined) {
    const texts = node.one_of.map((text) => `"${text}"`);
    return fact('answer_one_of', { several: texts.length > 1, texts });
  }
  const tolerance = node.tolerance === undefined ? '' : ` ± ${node.tolerance}`;
  if (node.number !== undefined) {
    const unit = node.unit === undefined ? '' : ` ${[node.unit].flat()[0] ?? ''}`;
    return fact('answer_number', { number: `${node.number}${tolerance}${unit}` });
  }
  const value = valueOf(node);
  const wanted = typeof value === 'string' ? `${value}${tolerance}` : JSON.stringify(value);
  return fact('answer_typed', { form: formOf(node), wanted });
}

/** @throws Error when the node has no type: every answer would fail it, and so pass its `not` */
function formOf(node: AnswerNode): string {
  const name = answerTypeName(node);
  if (name === undefined) throw new Error('has no type of answer');
  if (node.any_order === true) return name === 'rows' ? 'any_rows' : 'any_order';
  return name;
}

function literalsIn({ one_of: texts, number, money, date, time, list, set, object, rows }: AnswerType): string[] {
  const inner = [...(list ?? []), ...(set ?? []), ...Object.values(object ?? {}), ...(rows ?? []).flat()];
  return [...leavesOf([texts, number, date, money, time]), ...inner.flatMap((item) => literalsIn(answerType(item)))];
}

function looserAnswer(node: AnswerNode): Record<string, AnswerNode> {
  const { one_of: texts = [], list, set, object, rows } = node;
  if (node.number !== undefined || node.money !== undefined)
    return { one_off: { ...node, tolerance: (node.tolerance ?? 0) + 1 } };
  const ordered = (list ?? rows ?? []).length > 1 && node.any_order !== true;
  const anyOrder = ordered ? { any_order: { ...node, any_order: true } } : {};
  const last = { ...lastLess('list', list), ...lastLess('set', set), ...lastLess('rows', rows), ...fieldLess(object) };
  if (Object.keys(last).length > 0) return { ...anyOrder, one_less: { ...node, ...last } };
  const hasCase = texts.some((text) => text.toLowerCase() !== text.toUpperCase());
  return hasCase && node.ignore_case !== true && node.exact !== true
    ? { any_case: { ...node, ignore_case: true } }
    : {};
}

function lastLess(name: 'list' | 'set' | 'rows', items: readonly unknown[] = []): Partial<AnswerNode> {
  return items.length > 1 ? { [name]: items.slice(0, -1) } : {};
}

function fieldLess(object: Readonly<Record<string, AnswerItem>> = {}): Partial<AnswerNode> {
  const fields = Object.entries(object);
  return fields.length > 1 ? { object: Object.fromEntries(fields.slice(0, -1)) } : {};
}

import { Json, parsedOr } from '../../contract/json.ts';
import { isRecord } from '../../contract/validation/record.ts';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import type { ResponseCheck } from './rows.ts';
import { isList } from './values.ts';

/** Reads the response of an agent: JSON, alone or in a fenced block; null if it is neither. */
export function responseIn(text: string): Json {
  const fenced = /```(?:json)?\s*\n?(.*?)\n?```/s.exec(text)?.[1];
  return jsonIn(text) ?? jsonIn(fenced ?? '');
}

function jsonIn(text: string): Json {
  return Json.safeParse(parsedOr(text, null)).data ?? null;
}

/** Lists what is wrong with a response. @throws Error if an expected value cannot be read */
export function judgeResponse({ expected, results_schema: schema, ordered }: ResponseCheck, response: Json): Fact[] {
  if (!isRecord(response)) return [fact('response_not_a_map')];
  const {
    performed_operation: earlier = null,
    task_type: type = earlier,
    status = null,
    retrieved_data: data = null,
  } = response;
  const differing = (field: string, wanted: string, given: Json): Fact[] =>
    typeof given === 'string' && given.trim().toLowerCase() === wanted.toLowerCase()
      ? []
      : [differs(field, wanted, given)];
  const findings = [
    ...differing('task_type', expected.task_type, type),
    ...differing('status', expected.status, status),
  ];
  if (expected.task_type !== 'retrieve') return findings;
  const wanted =
    expected.retrieved_data === null || expected.retrieved_data.length === 0 ? null : expected.retrieved_data;
  const given = isNothing(data) ? null : Array.isArray(data) ? data : [data];
  const isSame =
    wanted === null || given === null ? wanted === given : isList(schema.items ?? {}, wanted, given, ordered);
  return isSame ? findings : [...findings, differs('retrieved_data', wanted, data)];
}

function isNothing(data: Json): boolean {
  if (typeof data === 'object' && data !== null) return Object.keys(data).length === 0;
  return data === null || data === '';
}

const MAX_SHOWN = 200;

export function differs(field: string, expected: Json, given: Json | undefined): Fact {
  return fact('record_differs', { field, expected: shown(expected), given: shown(given) });
}

function shown(value: Json | undefined): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

import type { Json } from '../../src/contract/json.ts';
import type { Exchange } from '../../src/dataset/webarena-verified/har.ts';
import { VerifiedRow } from '../../src/dataset/webarena-verified/rows.ts';

export const SITES = new Map([['__GITLAB__', ['http://localhost:8023']]]);

/** A row of ours in the format of WebArena-Verified. */
export function verifiedRow(...checks: readonly object[]): VerifiedRow {
  return VerifiedRow.parse({ ...ROW, eval: checks });
}

export const ROW = {
  task_id: 7,
  sites: ['gitlab'],
  start_urls: ['__GITLAB__'],
  intent: 'Say what is asked',
  intent_template_id: 1,
  revision: 1,
};

/** A check of an answer to a question. */
export function answerCheck(items: object, retrieved_data: Json, more: object = {}): object {
  const expected = { task_type: 'retrieve', status: 'SUCCESS', retrieved_data };
  return { evaluator: 'AgentResponseEvaluator', results_schema: { type: 'array', items }, expected, ...more };
}

export const MUTATED = {
  evaluator: 'AgentResponseEvaluator',
  results_schema: { type: 'null' },
  expected: { task_type: 'mutate', status: 'SUCCESS', retrieved_data: null },
};

export function requestCheck(expected: object, more: object = {}): object {
  return { evaluator: 'NetworkEventEvaluator', expected: { url: '__GITLAB__/notes', ...expected }, ...more };
}

export function exchange(more: Partial<Exchange> = {}): Exchange {
  return {
    method: 'GET',
    url: 'http://localhost:8023/notes',
    status: 200,
    headers: new Map(),
    posted: null,
    content: null,
    cookies: new Map(),
    ...more,
  };
}

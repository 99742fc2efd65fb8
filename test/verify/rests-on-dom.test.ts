import { expect, test } from 'vitest';
import { restsOnDomAlone } from '../../src/verify/claim-facts.ts';
import type { Contract } from '../../src/contract/schema.ts';

const TEXT: Contract = { kind: 'dom_text', contains: 'Sent' };
const STATE: Contract = { kind: 'app_state', pointer: '/sent', equals: true };
const LOG: Contract = {
  kind: 'network',
  url_pattern: '/send',
  status_in: [200],
  since: 'contract_enter',
};

const ANSWER: Contract = { kind: 'answer', one_of: ['B-4711'] };
const ALL_STATE: Contract = { kind: 'unchanged' };
const NONE: Contract = { kind: 'dom_count', selector: 'p', op: 'eq', value: 0, fresh: true };

function and(...children: Contract[]): Contract {
  return { kind: 'and', children };
}

function or(...children: Contract[]): Contract {
  return { kind: 'or', children };
}

function not(child: Contract): Contract {
  return { kind: 'not', child };
}

const CASES: [what: string, success: Contract, alone: boolean][] = [
  ['text of the page', TEXT, true],
  ['the address', { kind: 'url', pattern: '/sent$' }, true],
  ['a picture', { kind: 'screenshot_class', class_id: 'sent', distance_max: 4 }, true],
  ['no dialog, and text', { kind: 'and', children: [{ kind: 'no_dialog' }, TEXT] }, true],
  ['either text or app state', { kind: 'or', children: [TEXT, STATE] }, true],
  ['that a text is not there', { kind: 'not', child: TEXT }, true],
  ['text of the page loaded anew', { ...TEXT, fresh: true }, false],
  ['a count on the page loaded anew', { kind: 'dom_count', selector: 'p', op: 'eq', value: 1, fresh: true }, false],
  ['app state', STATE, false],
  ["the world's log", LOG, false],
  ['the answer', { kind: 'answer', one_of: ['B-4711'] }, false],
  ['text and app state', { kind: 'and', children: [TEXT, STATE] }, false],
  ['either app state or the log', { kind: 'or', children: [STATE, LOG] }, false],
  ['text, within it the log', { kind: 'and', children: [TEXT, { kind: 'and', children: [LOG] }] }, false],
  ['text and the answer', and(TEXT, ANSWER), true],
  ['either text or the answer', or(TEXT, ANSWER), true],
  ['the answer and app state', and(ANSWER, STATE), false],
  ['text, the answer and app state', and(TEXT, ANSWER, STATE), false],
  ['the answer, and either text or app state', and(ANSWER, or(TEXT, STATE)), true],
  ['app state, and either text or the answer', and(STATE, or(TEXT, ANSWER)), false],
  ['text and the state that is as it was', and(TEXT, ALL_STATE), true],
  ['text and the state that is not as it was', and(TEXT, not(ALL_STATE)), true],
  ['text and app state that is not so', and(TEXT, not(STATE)), true],
  ['text and app state that is gone', and(TEXT, { kind: 'app_state', pointer: '/sent', absent: true }), false],
  ['text and app state that is not otherwise than so', and(TEXT, not(not(STATE))), false],
  ['text and no exchange', and(TEXT, { ...LOG, count: { op: 'eq', value: 0 } }), true],
  ['text and at most one exchange', and(TEXT, { ...LOG, count: { op: 'lte', value: 1 } }), true],
  ['text and two exchanges', and(TEXT, { ...LOG, count: { op: 'eq', value: 2 } }), false],
  ['text and that not no exchange is there', and(TEXT, not({ ...LOG, count: { op: 'lte', value: 0 } })), false],
  ['text and what is gone from the page loaded anew', and(TEXT, NONE), false],
  ['text and what is not on the page loaded anew', and(TEXT, not({ ...TEXT, fresh: true })), true],
  ['app state alone, which is not so', not(STATE), false],
  ['that not both text and app state are so', not(and(TEXT, STATE)), true],
  ['that neither text nor app state is so', not(or(TEXT, STATE)), true],
  ['that neither text nor no app state is so', not(or(TEXT, not(STATE))), false],
];

test.each(CASES)('a contract about %s', (_, success, alone) => {
  expect(restsOnDomAlone(success)).toBe(alone);
});

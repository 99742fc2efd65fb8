import { expect, test } from 'vitest';
import { restsOnDomAlone } from '../../src/check/rests-on-dom.ts';
import type { Contract } from '../../src/contract/schema.ts';

const TEXT: Contract = { kind: 'dom_text', contains: 'Sent' };
const STATE: Contract = { kind: 'app_state', pointer: '/sent', equals: true };
const LOG: Contract = {
  kind: 'network',
  url_pattern: '/send',
  status_in: [200],
  since: 'contract_enter',
};

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
];

test.each(CASES)('a contract about %s', (_, success, alone) => {
  expect(restsOnDomAlone(success)).toBe(alone);
});

import { expect, test } from 'vitest';
import { alteredStates, type EndState, mixedStates } from '../../src/qualify/end-states.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { type Evidence, present } from '../../src/contract/evidence.ts';
import type { Json } from '../../src/contract/json.ts';
import type { Contract } from '../../src/contract/schema.ts';
import { element, evidence, page } from '../contract/evidence-sample.ts';
import { wideException } from '../../src/qualify/judge-trials.ts';

const PAID: Contract = { kind: 'url', pattern: String.raw`^https://shop\.test/paid$` };
const RIGHT = evidence({ pages: [page({ url: 'https://shop.test/paid' })] });
const OTHER = evidence({ pages: [page({ url: 'https://shop.test/' })] });

function failing(contract: Contract, states: readonly EndState[]): string[] {
  return states.flatMap(({ name, evidence: end }) => (evaluate(contract, end).verdict === 'fail' ? [name] : []));
}

function withState(start: Json, now: Json): Evidence {
  return { ...RIGHT, app_state: present({ start, now }) };
}

test('the address of another trial breaks an address', () => {
  const mixed = mixedStates({ name: 'reference', evidence: RIGHT }, [{ name: 'null', evidence: OTHER }]);
  expect(failing(PAID, mixed)).toEqual([
    "the reference's end with the pages of null",
    "the reference's end with the address of null",
  ]);
});

test('an address is broken by one that contains it', () => {
  expect(failing(PAID, alteredStates(RIGHT))).toEqual([
    "the reference's end with page-1 at https://shop.test/paid?more",
    "the reference's end with page-1 at https://shop.test/paid/more",
    "the reference's end with page-1 at http://elsewhere.localhost/?https://shop.test/paid",
  ]);
});

test('only an end state with a dialog breaks a guard against dialogs', () => {
  expect(failing({ kind: 'no_dialog' }, alteredStates(RIGHT))).toEqual([
    "the reference's end with a dialog that is open",
  ]);
});

test('an open dialog is not opened twice', () => {
  const held = evidence({ pages: [page({ dialog: { type: 'confirm', message: 'Pay?' } })] });
  expect(alteredStates(held).filter(({ name }) => name.endsWith('dialog that is open'))).toEqual([]);
});

test('a value of the app state is broken by every other of its type, and at no other place', () => {
  const states = alteredStates(withState({ sent: 0 }, { sent: 2, to: 'ada', seen: [] }));
  expect(failing({ kind: 'app_state', pointer: '/sent', equals: 2 }, states)).toEqual([
    "the reference's end with 3 at /sent of the app state",
    "the reference's end with 1 at /sent of the app state",
  ]);
  expect(failing({ kind: 'unchanged', except: ['/sent', '/to'] }, states)).toHaveLength(states.length);
  expect(failing({ kind: 'app_state', pointer: '/seen', equals: [] }, states)).toEqual([
    "the reference's end with one item more at /seen of the app state",
  ]);
});

test('a list entry named by a key gets one field more, which shows an exception of its whole', () => {
  const right = withState({ notes: [{ id: 5, text: 'a' }] }, { notes: [{ id: 5, text: 'b' }] });
  const differ = (except: string, isKeyed: boolean) =>
    failing({ kind: 'unchanged', except: [except] }, alteredStates(right, isKeyed));
  const shown = (isKeyed: boolean) => {
    const whole = differ('/notes/[id=5]', isKeyed);
    return differ('/notes/[id=5]/text', isKeyed).filter((name) => !whole.includes(name));
  };
  expect(shown(true)).toEqual(["the reference's end with one field more at /notes/0 of the app state"]);
  expect(shown(false)).toEqual([]);
});

test('in a large state, values next to the changed ones are altered first', () => {
  const many = Object.fromEntries(Array.from({ length: 600 }, (_none, index) => [`other-${index}`, 'x']));
  const states = alteredStates(withState({ many, own: { name: 'a', size: 1 } }, { many, own: { name: 'b', size: 1 } }));
  expect(failing({ kind: 'app_state', pointer: '/own/size', equals: 1 }, states)).toHaveLength(2);
});

test('a request is broken by another address or method, and by being absent', () => {
  const entry = {
    seq: 7,
    method: 'POST',
    url: 'http://shop.test/pay',
    status: 200,
    request_body: null,
    request_body_truncated: false,
  };
  const log = present({ entries: [entry], since: { contract_enter: 5, last_tool_call: 6 } });
  const states = alteredStates({ ...RIGHT, network: log });
  const broken = (clause: { url_pattern: string; method?: string }) => {
    const paid: Contract = { kind: 'network', status_in: [200], since: 'contract_enter', ...clause };
    return failing(paid, states).map((name) => name.replace(/^the reference's end with /, ''));
  };
  expect(broken({ url_pattern: '^http://shop\\.test/pay$', method: 'POST' })).toEqual([
    'longer addresses in the log',
    'addresses elsewhere in the log',
    'another method in the log',
    'nothing in the log',
  ]);
  expect(broken({ url_pattern: 'http://shop\\.test/pay' })).toEqual(['nothing in the log']);
});

const START = { guests: ['Ann'] };
const NOW = { guests: ['Ann', 'Bob'] };

function found(except: string[], { start = START, now = NOW }: { start?: Json; now?: Json } = {}) {
  const end = evidence({ app_state: { captured: true, value: { start, now } } });
  return wideException({ kind: 'unchanged', except }, end);
}

test('an exception of everything is found, with what the solution changes', () => {
  expect(found(['/guests'])).toEqual({ except: ['/guests'], changed: ['/guests/1'] });
});

test.each([[['/guests/1']], [['/guests/*']], [[]]])('except %j leaves something to guard', (except) => {
  expect(found(except)).toBeNull();
});

test('an exception beside other state is not too wide', () => {
  expect(found(['/guests'], { start: { ...START, tables: 1 }, now: { ...NOW, tables: 1 } })).toBeNull();
});

test('no narrower exception is suggested if the solution changes the very place that is excepted', () => {
  expect(found(['/guests'], { start: { guests: 1 }, now: { guests: 2 } })).toEqual({
    except: ['/guests'],
    changed: [],
  });
});

test('nothing is known of a state that was not reported', () => {
  expect(wideException({ kind: 'unchanged', except: ['/guests'] }, null)).toBeNull();
  expect(wideException(undefined, null)).toBeNull();
});

test('the value of a field that a contract reads is broken by others, which only hold in part', () => {
  const field = (id: string) => ({ ...element('input'), attributes: { id }, value: 'Ada' });
  const right = evidence({ pages: [page({ body: [field('a'), field('b')] })] });
  const states = alteredStates(right, false, ['#a']);
  expect(failing({ kind: 'field_value', selector: '#a', equals: 'Ada' }, states)).toHaveLength(4);
  expect(failing({ kind: 'field_value', selector: '#a', contains: 'Ada' }, states)).toHaveLength(2);
  expect(failing({ kind: 'field_value', selector: '#b', equals: 'Ada' }, states)).toEqual([]);
  expect(alteredStates(right).filter(({ name }) => name.includes('#a'))).toEqual([]);
});

test('the option that is chosen in a list is broken as a field is', () => {
  const option = { ...element('option', 'Ada'), selected: true };
  const list = { ...element('select', option, element('option', 'Grace')), attributes: { id: 'a' } };
  const states = alteredStates(evidence({ pages: [page({ body: [list] })] }), false, ['#a']);
  expect(failing({ kind: 'field_value', selector: '#a', equals: 'Ada' }, states)).toHaveLength(4);
});

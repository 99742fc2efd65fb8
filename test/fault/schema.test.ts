import path from 'node:path';
import { expect, test } from 'vitest';
import { Fault, Faults, drawFault, type Lot, FAULT_KINDS } from '../../src/fault/schema.ts';
import type { Injectable, Where } from '../../src/fault/fault-kind.ts';
import { readdirSync } from 'node:fs';
import { readFaultProfiles } from '../../src/cli/built-in-files.ts';

test('omitted fields have defaults', () => {
  expect(Fault.parse({ id: 'lost', kind: 'drop' })).toMatchObject({ nth: 1, times: 1 });
  expect(Fault.parse({ id: 'lid', kind: 'covered' })).toEqual({ id: 'lid', kind: 'covered', ms: 1_500 });
});

test.each([
  ['a kind that nobody knows', { id: 'a', kind: 'earthquake' }],
  ['a field of another kind', { id: 'a', kind: 'covered', nth: 2 }],
  ['a pattern that cannot run', { id: 'a', kind: 'drop', url: '(' }],
  ['a status that is no failure of a server', { id: 'a', kind: 'server_error', status: 200 }],
  ['a range that ends before it begins', { id: 'a', kind: 'drop', nth: [3, 1] }],
])('refuses %s', (_what, fault) => {
  expect(Fault.safeParse(fault).success).toBe(false);
});

test('two faults of one task or profile have two names', () => {
  const twice = Faults.safeParse([
    { id: 'a', kind: 'drop' },
    { id: 'a', kind: 'modal' },
  ]);
  expect(twice.error?.issues[0]).toMatchObject({ path: [1, 'id'] });
});

const LOT: Lot = { seed: 1, suite: 'stress', task: 'pay', iteration: 0 };
const ELEMENTS = ['Save', 'Cancel', 'Next'].map((name) => ({ role: 'button', name }));
const lost = Fault.parse({ id: 'lost', kind: 'drop', nth: [1, 50] });
const lid = Fault.parse({ id: 'lid', kind: 'covered' });

test('the same lot draws the same fault, another seed or repetition another', () => {
  const drawn = [LOT, { ...LOT }, { ...LOT, seed: 2 }, { ...LOT, iteration: 1 }].map((lot) => drawFault(lost, lot, []));
  expect(drawn[1]).toEqual(drawn[0]);
  expect(drawn[2]).not.toEqual(drawn[0]);
  expect(drawn[3]).not.toEqual(drawn[0]);
});

test('a draw is between the least and the most', () => {
  const numbers = Array.from({ length: 200 }, (_, seed) => {
    const drawn = drawFault(Fault.parse({ id: 'a', kind: 'tab_crash', call: [3, 5] }), { ...LOT, seed }, []);
    return 'armed' in drawn && 'call' in drawn.armed ? drawn.armed.call : null;
  });
  expect(new Set(numbers)).toEqual(new Set([3, 4, 5]));
});

test('an unnamed element is one of those that the solution acts on', () => {
  const drawn = Array.from({ length: 50 }, (_, seed) => drawFault(lid, { ...LOT, seed }, ELEMENTS));
  const names = drawn.map((each) => ('armed' in each && 'element' in each.armed ? each.armed.element.name : null));
  expect(new Set(names)).toEqual(new Set(['Save', 'Cancel', 'Next']));
  expect(drawFault(lid, LOT, [])).toMatchObject({ impossible: expect.stringContaining('names no element') });
});

test('a named element stays, and an injected order has a word of its own', () => {
  const order = Fault.parse({ id: 'order', kind: 'prompt_injection', element: { role: 'button', name: 'Pay' } });
  const canaries = [1, 2].map((seed) => drawFault(order, { ...LOT, seed }, ELEMENTS));
  expect(canaries[0]).toMatchObject({
    armed: { element: { name: 'Pay' }, canary: expect.stringMatching(/^canary-[0-9a-f]{12}$/) },
  });
  expect(canaries[1]).not.toEqual(canaries[0]);
});

const BUILT_IN: Injectable = { drivesItself: false, showsPages: true, hasServer: false };

function notInjectable(entrant: Injectable): string[] {
  return FAULT_KINDS.filter(({ whyNot }) => whyNot(entrant) !== null).map(({ kind }) => kind);
}

function at(where: Where): string[] {
  return FAULT_KINDS.filter((kind) => kind.where === where).map(({ kind }) => kind);
}

test('every fault can be injected into the actions of a tool server', () => {
  expect(notInjectable({ ...BUILT_IN, hasServer: true })).toEqual([]);
});

test('a built-in surface has no server to kill, and no connection to cut', () => {
  expect(notInjectable(BUILT_IN)).toEqual(['connection_cut', ...at('tool server')]);
});

test('an agent that drives the browser itself can be tested with faults of the network', () => {
  const no = notInjectable({ drivesItself: true, showsPages: false, hasServer: true });
  expect(FAULT_KINDS.map(({ kind }) => kind).filter((kind) => !no.includes(kind))).toEqual(at('network'));
});

test("the app's own tools show no page that could have a fault", () => {
  const no = notInjectable({ ...BUILT_IN, showsPages: false });
  expect(no).toEqual([...at('page'), 'connection_cut', ...at('tool server')]);
});

const NAMES = readdirSync(path.resolve(import.meta.dirname, '../../faults')).map((file) =>
  path.basename(file, '.yaml'),
);

test('the built-in profiles have every kind, each under its own name', async () => {
  const faults = await readFaultProfiles(NAMES);
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULT_KINDS.map(({ kind }) => kind)));
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
});

test('an unknown profile is refused with the names of the others', async () => {
  await expect(readFaultProfiles(['earthquakes'])).rejects.toMatchObject({
    remedy: expect.stringContaining('network'),
  });
});

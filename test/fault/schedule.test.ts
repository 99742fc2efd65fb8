import { expect, test } from 'vitest';
import { drawFault, type Lot } from '../../src/fault/schedule.ts';
import { Fault } from '../../src/fault/schema.ts';

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

test('a draw stays between the least and the most', () => {
  const numbers = Array.from({ length: 200 }, (_, seed) => {
    const drawn = drawFault(Fault.parse({ id: 'a', kind: 'tab_crash', call: [3, 5] }), { ...LOT, seed }, []);
    return 'armed' in drawn && 'call' in drawn.armed ? drawn.armed.call : null;
  });
  expect(new Set(numbers)).toEqual(new Set([3, 4, 5]));
});

test('an element that is not named is one of those that the solution acts on', () => {
  const drawn = Array.from({ length: 50 }, (_, seed) => drawFault(lid, { ...LOT, seed }, ELEMENTS));
  const names = drawn.map((each) => ('armed' in each && 'element' in each.armed ? each.armed.element.name : null));
  expect(new Set(names)).toEqual(new Set(['Save', 'Cancel', 'Next']));
  expect(drawFault(lid, LOT, [])).toMatchObject({ impossible: expect.stringContaining('names no element') });
});

test('one that is named stays, and an injected order has a word of its own', () => {
  const order = Fault.parse({ id: 'order', kind: 'prompt_injection', element: { role: 'button', name: 'Pay' } });
  const canaries = [1, 2].map((seed) => drawFault(order, { ...LOT, seed }, ELEMENTS));
  expect(canaries[0]).toMatchObject({
    armed: { element: { name: 'Pay' }, canary: expect.stringMatching(/^canary-[0-9a-f]{12}$/) },
  });
  expect(canaries[1]).not.toEqual(canaries[0]);
});

import { expect, test } from 'vitest';
import { perturbationsOf } from '../../src/qualify/perturbations.ts';
import { Task } from '../../src/task/schema.ts';

const base = {
  title: 'Send',
  startUrl: 'http://shop.localhost/',
  goal: 'Send it',
  success: { kind: 'no_dialog' as const },
};
const SEND = Task.parse({
  ...base,
  id: 'send',
  solutions: [
    {
      steps: [
        { do: 'fill', label: 'Name', text: 'Ada' },
        { do: 'click', role: 'button', name: 'Send' },
        { do: 'wait_for', text: 'Sent' },
        { do: 'answer', value: '7' },
      ],
    },
  ],
  nearMisses: [{ why: 'nothing was sent', steps: [{ do: 'fill', label: 'Name', text: 'Ada x' }] }],
});
const PAY = Task.parse({
  ...base,
  id: 'pay',
  startUrl: 'http://shop.localhost/pay',
  solutions: [{ steps: [{ do: 'click', role: 'button', name: 'Pay' }] }],
});
const ELSEWHERE = Task.parse({ ...PAY, id: 'elsewhere', startUrl: 'http://bank.localhost/' });

const of = (count: number, seed = 1) => perturbationsOf(SEND, [SEND, PAY, ELSEWHERE], { seed, count });

test('a solution is perturbed in each of its active steps, as a whole, and by the solutions of others', () => {
  expect(
    of(100)
      .map(({ what }) => what)
      .toSorted(),
  ).toEqual([
    'step 1 altered to {"do":"fill","label":"Name","text":""}',
    'step 1 altered to {"do":"fill","label":"Name","text":"Ada x"}',
    'step 1 doubled',
    'step 1 dropped',
    'step 1 in another field, the nearest in name',
    'step 1 in another field, the second nearest in name',
    'step 2 doubled',
    'step 2 dropped',
    'step 2 on another button, the nearest in name',
    'step 2 on another button, the second nearest in name',
    'step 4 altered to {"do":"answer","value":8}',
    'step 4 doubled',
    'step 4 dropped',
    'steps 1 and 2 swapped',
    'the solution of pay',
    'the solution of pay, then its own',
    'the whole done twice',
  ]);
});

test('the solution of another task before its own is always included: it does what guards are for', () => {
  expect(of(1)[0]).toEqual({ what: 'the solution of pay, then its own', steps: expect.anything() });
});

test('neighbours come on top, those of the last element first, since an address or a text may fit them too', () => {
  expect(of(1)[1]?.what).toBe('step 2 on another button, the nearest in name');
  expect([of(0).length, of(1).length]).toEqual([0, 5]);
});

test('the same seed draws the same, and another draws others', () => {
  expect(of(5)).toEqual(of(5));
  expect(of(5, 2)).not.toEqual(of(5));
});

test('a task without a solution for the page has none', () => {
  expect(perturbationsOf(Task.parse({ ...base, id: 'bare' }), [SEND], { seed: 1, count: 5 })).toEqual([]);
});

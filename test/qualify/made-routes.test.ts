import { expect, test } from 'vitest';
import { madeRoutes } from '../../src/qualify/made-routes.ts';
import { Task } from '../../src/task/schema.ts';

const FILL = { do: 'fill' as const, label: 'Name', text: 'Ada' };
const TOWN = { do: 'fill' as const, label: 'Town', text: 'Bath' };
const SEND = { do: 'click' as const, role: 'button', name: 'Send' };

function routesOf(...steps: unknown[]) {
  const task = Task.parse({
    id: 'send',
    title: 'Send',
    startUrl: 'http://shop.localhost/',
    goal: 'Send it',
    success: { kind: 'no_dialog' },
    solutions: [{ steps }],
  });
  return Object.fromEntries(madeRoutes(task).map(({ id, steps: made }) => [id, made]));
}

test('a solution is followed by keyboard, in another order, and from a reloaded start page', () => {
  expect(routesOf(FILL, TOWN, SEND)).toEqual({
    'by-keyboard': [FILL, TOWN, { do: 'keys', than: SEND }],
    'other-order': [TOWN, FILL, SEND],
    'fresh-start': [{ do: 'go', url: 'http://shop.localhost/' }, FILL, TOWN, SEND],
  });
});

test('a step between two fields keeps their order, and so does a field that is filled twice', () => {
  expect(routesOf(FILL, SEND, TOWN)).not.toHaveProperty('other-order');
  expect(routesOf(FILL, { ...FILL, text: 'Eve' })).not.toHaveProperty('other-order');
});

test('the last link is replaced by another to the same address', () => {
  const link = { do: 'click' as const, role: 'link', name: 'Reports' };
  expect(routesOf(link, SEND)['other-link']).toEqual([{ do: 'same_address', than: link }, SEND]);
});

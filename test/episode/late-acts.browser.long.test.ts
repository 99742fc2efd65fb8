import { expect, test } from 'vitest';
import { shipping, shippingSlowly, WAYS } from './late-shop.ts';

test.each(WAYS)('an order shipped by %s before the end fails the guard', async (way) => {
  expect(await shipping({ way, point: null })).toMatchObject({ isShipped: true, result: { status: 'failed' } });
});

test.each(
  WAYS.flatMap((way) => (['state 2', 'anotherProxy 1', 'way closed'] as const).map((point) => ({ way, point }))),
)('an order shipped by $way while the judge is at $point does not pass', async ({ way, point }) => {
  const { result, isShipped, reached } = await shipping({ way, point });
  expect(reached).toContain(point);
  expect({ isShipped, isPassed: result.status === 'passed' }).not.toEqual({ isShipped: true, isPassed: true });
});

test('an order of the entrant’s page that the app answers after the end does not pass', async () => {
  expect(await shippingSlowly(1)).toMatchObject({ isShipped: true, result: { status: 'inconclusive' } });
});

import { expect, test } from 'vitest';
import { targetClass, TargetFacts } from '../../../src/task/target.ts';
import { firstOfEach } from '../first-of-each.ts';
import { openShop } from './nac3-session.ts';
import { aimedAt, CASES, SHOP } from './target-cases.ts';

test.each(firstOfEach(CASES, ([expected]) => expected))('%s: %s %j', async (...aim) => {
  const [expected] = aim;
  const outcome = { aimed: expected, ok: expected === 'resolved', isDoneThoughRefused: false };
  expect(await aimedAt(...aim)).toEqual(outcome);
});

test('before the first look, every name is a phantom', async () => {
  await using scene = await openShop(SHOP);
  const reply = await scene.call('click', { nac_id: 'shop.save' });
  expect(reply).toMatchObject({ ok: false, text: expect.stringContaining('call "describe" first') });
  expect(targetClass(TargetFacts.parse(reply.target))).toBe('phantom');
});

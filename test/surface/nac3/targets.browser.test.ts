import { expect, test } from 'vitest';
import { targetClass, TargetSight } from '../../../src/task/target.ts';
import { firstOfEach } from '../first-of-each.ts';
import { openShop } from './nac3-session.ts';
import { ADD, aimedAt, CASES, MANIFEST, SHOP } from './target-cases.ts';

test('what it was shown before it looked again, and what has gone, is stale', async () => {
  await using scene = await openShop(SHOP, { manifest: MANIFEST });
  await scene.page.evaluate(ADD);
  await scene.call('describe');
  await scene.page.evaluate(`document.querySelector('[data-nac-id="shop.late"]').remove()`);
  await scene.call('describe');
  const { target } = await scene.call('click', { nac_id: 'shop.late' });
  if (target == null || 'untold' in target) throw new Error(`no target: ${JSON.stringify(target)}`);
  expect(targetClass(target)).toBe('stale');
  expect(target.dispatched).toBe(false);
});

test.each(firstOfEach(CASES, ([expected]) => expected))('%s: %s %j', async (...aim) => {
  const [expected] = aim;
  const outcome = { aimed: expected, ok: expected === 'resolved', isDoneThoughRefused: false };
  expect(await aimedAt(...aim)).toEqual(outcome);
});

test('before it has seen anything, whatever an agent names is made up', async () => {
  await using scene = await openShop(SHOP);
  const reply = await scene.call('click', { nac_id: 'shop.save' });
  expect(reply).toMatchObject({ ok: false, text: expect.stringContaining('call "describe" first') });
  expect(targetClass(TargetSight.parse(reply.target))).toBe('phantom');
});

test.each([
  ['describe', {}],
  ['press', { key: 'Tab' }],
  ['scroll', { direction: 'down', pixels: 10 }],
  ['navigate', { url: 'http://a.test/' }],
  ['wait', { text: 'Save' }],
])('%s aims at nothing', async (tool, args) => {
  await using scene = await openShop(SHOP);
  expect(await scene.call(tool, args)).toMatchObject({ ok: true, target: null });
});

test('a dialog stands before everything that an action could aim at', async () => {
  await using scene = await openShop(SHOP);
  await scene.call('describe');
  await scene.page.evaluate('void setTimeout(() => confirm("Sure?"))');
  await expect.poll(async () => (await scene.call('describe')).text).toContain('confirm dialog: Sure?');
  const reply = await scene.call('click', { nac_id: 'shop.save' });
  expect(targetClass(TargetSight.parse(reply.target))).toBe('blocked');
});

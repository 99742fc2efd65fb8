import { expect, test } from 'vitest';
import { startFakeModels } from '../../bench/mock-models/fake-models.ts';

test('a fake goes on after a request that no model gets', async () => {
  const fakes = await startFakeModels([]);
  const address = Object.values(fakes.variables).find((value) => value.startsWith('http:')) ?? '';
  for (const init of [{}, { method: 'POST', body: '{"model"' }]) expect((await fetch(address, init)).status).toBe(400);
  await fakes.close();
});

test('a fake rejects any key but its own, so that a mistyped one can be tried', async () => {
  const fakes = await startFakeModels([]);
  const { ANTHROPIC_BASE_URL: address = '', ANTHROPIC_API_KEY: key = '' } = fakes.variables;
  const body = 'You are asked once before a benchmark begins.';
  const statusFor = async (given: string) =>
    (await fetch(`${address}/v1/messages`, { method: 'POST', body, headers: { 'x-api-key': given } })).status;
  expect([await statusFor(key), await statusFor(`${key}x`)]).toEqual([200, 401]);
  await fakes.close();
});

import { expect, test } from 'vitest';
import { startFakeModels } from '../../bench/mock-models/fake-models.ts';

test('a fake that is asked for what no model is asked goes on', async () => {
  const fakes = await startFakeModels([]);
  const address = Object.values(fakes.variables).find((value) => value.startsWith('http:')) ?? '';
  for (const init of [{}, { method: 'POST', body: '{"model"' }]) expect((await fetch(address, init)).status).toBe(400);
  await fakes.close();
});

import { describe, expect, test } from 'vitest';
import { loadApp } from '../../src/world/load-app.ts';
import { tempFiles } from '../task/temp-files.ts';

test('an app file is TypeScript that imports defineApp from touchstone, wherever it lies', async () => {
  await using files = await tempFiles({
    'app.ts': `
      import { defineApp } from 'touchstone';
      type Greeting = { text: string };
      export default defineApp(({ name }) => {
        const greeting: Greeting = { text: \`hello \${name}\` };
        return { fetch: () => new Response(greeting.text), state: () => greeting };
      });`,
  });
  const create = await loadApp(files.path('app.ts'));
  const app = await create({ name: 'Ada' });
  expect(await app.state()).toEqual({ text: 'hello Ada' });
});

describe('an app file that cannot be used gives an error that names the file and the remedy', () => {
  test.each([
    ['that is missing', {}, /app\.ts/],
    ['with a syntax error', { 'app.ts': 'export default (' }, /./],
    ['that throws', { 'app.ts': 'throw new Error("out of tea")' }, /^out of tea/],
    ['that imports what is missing', { 'app.ts': 'import "./gone.ts"' }, /gone\.ts/],
  ])('%s', async (_, content, why) => {
    await using files = await tempFiles({ 'other.txt': '', ...content });
    const file = files.path('app.ts');
    await expect(loadApp(file)).rejects.toMatchObject({
      code: 'app_cannot_be_run',
      params: { file, why: expect.stringMatching(why), remedy: expect.stringMatching(/\w/) },
    });
  });

  test.each([
    ['without a default export', 'export const app = 1'],
    ['with something else', 'export default { fetch() {} }'],
  ])('%s', async (_, content) => {
    await using files = await tempFiles({ 'app.ts': content });
    const file = files.path('app.ts');
    await expect(loadApp(file)).rejects.toMatchObject({ code: 'app_has_no_default', params: { file } });
  });
});

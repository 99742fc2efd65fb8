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
    ['that is missing', {}, /app\.ts cannot be run: .*app\.ts/],
    ['with a syntax error', { 'app.ts': 'export default (' }, /app\.ts cannot be run: /],
    ['that throws', { 'app.ts': 'throw new Error("out of tea")' }, /app\.ts cannot be run: out of tea/],
    ['that imports what is missing', { 'app.ts': 'import "./gone.ts"' }, /app\.ts cannot be run: .*gone\.ts/],
    ['without a default export', { 'app.ts': 'export const app = 1' }, /app\.ts has no app as its default export/],
    ['with something else', { 'app.ts': 'export default { fetch() {} }' }, /app\.ts has no app as its default export/],
  ])('%s', async (_, content, message) => {
    await using files = await tempFiles({ 'other.txt': '', ...content });
    await expect(loadApp(files.path('app.ts'))).rejects.toMatchObject({
      name: 'WorldError',
      code: 'bad_app',
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(/\w/),
    });
  });
});

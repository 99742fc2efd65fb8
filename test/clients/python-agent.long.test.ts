import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';

async function evaluated(came: object): Promise<string> {
  const program = [
    'import json, sys',
    'from touchstone_agent import BrowserError, Page',
    'page = Page.__new__(Page)',
    'page.send = lambda method, **params: json.loads(sys.argv[1])',
    'try:',
    '    print(page.evaluate("1"))',
    'except BrowserError as error:',
    '    print(f"BrowserError: {error}")',
  ].join('\n');
  const env = { ...process.env, PYTHONPATH: path.join(packageRoot(), 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await promisify(execFile)('python3', ['-c', program, JSON.stringify(came)], { env });
  return stdout.trim();
}

test.each([
  [{ description: "TypeError: Cannot read properties of null (reading 'click')\n    at <anonymous>:1:30" }],
  [{ value: "TypeError: Cannot read properties of null (reading 'click')" }],
])('what a script has thrown is told, in one line', async (exception) => {
  expect(await evaluated({ exceptionDetails: { text: 'Uncaught', exception }, result: {} })).toBe(
    "BrowserError: TypeError: Cannot read properties of null (reading 'click')",
  );
});

test('where nothing is told of what was thrown, the browser’s own text is', async () => {
  expect(await evaluated({ exceptionDetails: { text: 'Uncaught' }, result: {} })).toBe('BrowserError: Uncaught');
});

test('what does not throw is returned', async () => {
  expect(await evaluated({ result: { value: 7 } })).toBe('7');
});

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
])('an exception of a script is reported in one line', async (exception) => {
  expect(await evaluated({ exceptionDetails: { text: 'Uncaught', exception }, result: {} })).toBe(
    "BrowserError: TypeError: Cannot read properties of null (reading 'click')",
  );
});

test('without text of its own, an exception has the browser’s text', async () => {
  expect(await evaluated({ exceptionDetails: { text: 'Uncaught' }, result: {} })).toBe('BrowserError: Uncaught');
});

test('a value that is not thrown is returned', async () => {
  expect(await evaluated({ result: { value: 7 } })).toBe('7');
});

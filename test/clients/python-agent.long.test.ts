import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/plan/package-root.ts';

/** The outcome of a call of a page, to whose commands these are the replies; the last one repeats. */
async function outcomeOf(call: string, ...replies: object[]): Promise<string> {
  const program = [
    'import json, sys',
    'from touchstone_agent import BrowserError, Page',
    'page = Page.__new__(Page)',
    'replies = json.loads(sys.argv[1])',
    'page.send = lambda method, **params: replies.pop(0) if len(replies) > 1 else replies[0]',
    'try:',
    `    print(page.${call})`,
    'except (BrowserError, TimeoutError) as error:',
    '    print(f"{type(error).__name__}: {error}")',
  ].join('\n');
  const env = { ...process.env, PYTHONPATH: path.join(packageRoot(), 'clients/python'), PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await promisify(execFile)('python3', ['-c', program, JSON.stringify(replies)], { env });
  return stdout.trim();
}

const evaluated = async (came: object): Promise<string> => await outcomeOf('evaluate("1")', came);
const GONE = { exceptionDetails: { text: 'Uncaught', exception: { value: 'TypeError: it is null' } }, result: {} };

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

test('an expression that becomes true, also after it threw, is waited for', async () => {
  const [no, yes] = [{ result: { value: '' } }, { result: { value: 'Shop' } }];
  expect(await outcomeOf('wait_for("document.title")', no, GONE, yes)).toBe('Shop');
});

test.each([
  ['stays false', { result: { value: false } }, ''],
  ['throws', GONE, ': TypeError: it is null'],
])('an expression that %s ends the wait with an error', async (_what, reply, why) => {
  expect(await outcomeOf('wait_for("title", timeout_s=0.2)', reply)).toBe(
    `TimeoutError: not true within 0.2 s: title${why}`,
  );
});

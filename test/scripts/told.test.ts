import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const TOLD = pathToFileURL(path.resolve('scripts/told.mjs')).href;

/** Lines on standard error, and the exit code, of a script reported under the title `waiting`. */
async function toldOf(
  script: string,
  options: { isTerminal?: boolean; quiet?: boolean } = {},
): Promise<{ err: string; code: string }> {
  const caller = `import { told } from ${JSON.stringify(TOLD)};
    const args = ['-e', ${JSON.stringify(script)}];
    console.log(await told('waiting', process.execPath, args, ${JSON.stringify({ isTerminal: false, ...options })}));`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', caller]);
  return { err: withoutTimes(stderr), code: stdout.trim() };
}

/** A slow machine also prints how long it has taken so far: each second on a terminal, and every ten seconds elsewhere. */
function withoutTimes(text: string): string {
  return text.replaceAll(/\r\P{L}+K[^\r\n]* … \d+ s|^[^\r\n]* … \d+ s\n/gmu, '').replaceAll(/\d+ s$/gm, 'N s');
}

test('a slow command is announced before it begins, and its time is printed when it ends', async () => {
  expect(await toldOf('0')).toEqual({ err: 'waiting …\nwaiting: done after N s\n', code: '0' });
});

test('its output is on lines of its own', async () => {
  const { err } = await toldOf('console.log("one"); process.stderr.write("two")');
  expect(err.split('\n').toSorted()).toEqual(['', 'one', 'two', 'waiting …', 'waiting: done after N s']);
});

test('only errors of a quiet command are shown', async () => {
  const { err } = await toldOf('console.log("one"); process.stderr.write("two")', { quiet: true });
  expect(err).toBe('waiting …\ntwo\nwaiting: done after N s\n');
});

test('its exit code is passed on', async () => {
  expect(await toldOf('process.exit(3)')).toEqual({ err: 'waiting …\nwaiting: failed after N s\n', code: '3' });
});

test('on a terminal the line is drawn over', async () => {
  expect(await toldOf('0', { isTerminal: true })).toEqual({
    err: 'waiting …\r\u001B[Kwaiting: done after N s\n',
    code: '0',
  });
});

test('each of two commands under one line reports its end, and passes on its code', async () => {
  const one = (title: string, script: string) => ({ title, command: process.execPath, args: ['-e', script] });
  const commands = [one('first', 'console.log("one")'), one('second', 'console.log("two"); process.exit(3)')];
  const caller = `import { toldTogether } from ${JSON.stringify(TOLD)};
    console.log(JSON.stringify(await toldTogether(${JSON.stringify(commands)}, { isTerminal: false })));`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', caller]);
  const lines = withoutTimes(stderr).split('\n');
  expect(lines[0]).toBe('first; second …');
  expect(lines.slice(1).toSorted()).toEqual(['', 'first: done after N s', 'one', 'second: failed after N s', 'two']);
  expect(JSON.parse(stdout)).toEqual([0, 3]);
});

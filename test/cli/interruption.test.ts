import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Interruption } from '../../src/cli/interruption.ts';

function wishes(...times: number[]): string[] {
  let now = 0;
  const interruption = new Interruption(() => now);
  return times.map((time) => {
    now = time;
    return interruption.signalled();
  });
}

test('the first signal asks to stop after the episode, the second to stop at once', () => {
  expect(wishes(0, 1000)).toEqual(['stop', 'stop at once']);
});

test('one Ctrl-C that reaches us twice, directly and passed on, counts once', () => {
  expect(wishes(0, 0)).toEqual(['stop', 'nothing new']);
  expect(wishes(5000, 5299, 5300)).toEqual(['stop', 'nothing new', 'stop at once']);
});

const SRC = path.resolve(import.meta.dirname, '../../src');

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s ends an idle process in order, with its folders', async (signal, exit) => {
  const script = `
    import { exitCleanly } from '${SRC}/cli/interruption.ts';
    import { makeFolder } from '${SRC}/process/own-folder.ts';
    exitCleanly();
    console.log(makeFolder('home'));
    setInterval(() => {}, 1_000);
  `;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [folder] = await once(child.stdout.setEncoding('utf8'), 'data');
  expect(existsSync(String(folder).trim())).toBe(true);
  child.kill(signal);
  expect(await once(child, 'close')).toEqual([exit, null]);
  expect(existsSync(String(folder).trim())).toBe(false);
});

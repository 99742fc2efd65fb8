import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const FIXTURE = path.join(import.meta.dirname, 'fixtures/holds-an-app.ts');

function content(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
  } catch {
    return false;
  }
}

test.each([
  ['SIGKILL', 'script'],
  ['SIGTERM', 'script'],
  ['SIGKILL', 'program'],
] as const)('an application and its folder are gone when our process is ended with %s: a %s', async (signal, what) => {
  const holder = spawn(process.execPath, ['--import', 'tsx', FIXTURE, what], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [first] = await once(holder.stdout.setEncoding('utf8'), 'data');
  const folder = String(first).trim();
  const note = path.join(folder, 'data/pid');
  await expect.poll(() => content(note)).not.toBe('');
  const pid = Number(content(note));
  expect(isRunning(pid)).toBe(true);
  holder.kill(signal);
  await expect.poll(() => isRunning(pid)).toBe(false);
  await expect.poll(() => existsSync(folder)).toBe(false);
});

import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { processesWith } from '../process/processes-with.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startTouchstone } from './touchstone-process.ts';

/** A tool server that starts and stays silent. */
const SILENT = 'process.stdin.resume(); setInterval(() => {}, 1_000);';

/** In an empty folder for temporary files tsx finds nothing that it compiled before, which takes a busy machine a minute. */
const AFRESH = { timeout: 300_000 };

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('two signals (%s) end all processes of a run, and leave no folder', async (signal, exit) => {
  const [folder, temporary] = [await temporaryFolder(), await temporaryFolder()];
  const [script, server] = [path.join(folder, 'silent.mjs'), path.join(folder, 'silent.yaml')];
  await writeFile(script, SILENT);
  await writeFile(server, 'id: silent\ncommand: ./silent.mjs\n');
  vi.stubEnv('TMPDIR', temporary);
  const bundle = path.join(folder, 'bundle');
  const task = ['run', 'basics', '--task', 'example-h1', '--agent', 'null'];
  const running = startTouchstone(...task, '--surface', server, '--out', bundle);
  vi.unstubAllEnvs();
  await expect.poll(() => processesWith(script), AFRESH).not.toEqual([]);
  let ended: { exit: number | null } | null = null;
  void running.ended.then((code) => (ended = { exit: code }));
  await expect
    .poll(() => {
      // Again and again: signals that come close together count as one.
      running.kill(signal);
      return ended;
    })
    .toEqual({ exit });
  expect(processesWith(script)).toEqual([]);
  expect(readdirSync(temporary).filter((name) => name.startsWith('touchstone-'))).toEqual([]);
});

const foldersIn = (temporary: string) =>
  readdirSync(temporary).filter((name) => name.startsWith('touchstone-') || name.startsWith('playwright-'));

test('two signals while Playwright works leave none of its folders', async () => {
  const [folder, temporary] = [await temporaryFolder(), await temporaryFolder()];
  vi.stubEnv('TMPDIR', temporary);
  const task = ['run', 'basics', '--task', 'example-h1', '--agent', 'reference', '-n', '20', '--workers', '2'];
  const running = startTouchstone(...task, '--out', path.join(folder, 'bundle'));
  vi.unstubAllEnvs();
  await expect.poll(() => foldersIn(temporary).some((name) => name.includes('artifacts')), AFRESH).toBe(true);
  let hasEnded = false;
  void running.ended.then(() => (hasEnded = true));
  await expect
    .poll(() => {
      running.kill('SIGINT');
      return hasEnded;
    })
    .toBe(true);
  expect(foldersIn(temporary)).toEqual([]);
});

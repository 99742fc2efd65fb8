import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { outcomeHash } from './bundle-files.ts';
import { touchstone } from './touchstone.ts';
import { startTouchstone } from './touchstone-process.ts';

test('two runs have the same outcome hash, though one was killed half-way and resumed', async () => {
  const folder = await temporaryFolder();
  const [whole, killed] = [path.join(folder, 'whole'), path.join(folder, 'killed')];
  const four = [
    'run',
    'basics',
    '--agent',
    'transcript',
    '--task',
    'example-h1,dialog-delete,local-form-submit,local-recovery-stall',
    // Beside others, the last may be over when the signal comes.
    '--times',
  ];
  expect(await touchstone(...four, '--out', whole)).toMatchObject({ exit: 0 });

  const running = startTouchstone(...four, '--out', killed);
  await running.says('2/4');
  expect(await processesWith(`touchstone-profile-${running.pid}-`)).not.toEqual([]);
  running.kill('SIGKILL');
  await running.ended;
  await expect.poll(() => processesWith(`touchstone-profile-${running.pid}-`)).toEqual([]);
  const shown = await touchstone('show', killed);
  expect(shown.out).toMatch(/: [2-3] of 4 episodes, not complete/);

  expect(await touchstone('run', '--resume', killed)).toMatchObject({ exit: 0 });
  expect(await outcomeHash(killed)).toBe(await outcomeHash(whole));
  expect(await touchstone('rejudge', killed)).toMatchObject({ exit: 0 });
});

test('a run that was interrupted, resumed and then killed is unfinished, and all its records are right', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const tasks = 'example-h1,dialog-delete,local-form-submit,local-recovery-stall';
  const first = startTouchstone('run', 'basics', '--agent', 'transcript', '--task', tasks, '--times', '--out', bundle);
  await first.says('1/4');
  first.kill('SIGINT');
  await first.ended;
  expect(await readdir(bundle)).toContain('report.json');

  const second = startTouchstone('run', '--resume', bundle, '--times');
  await second.says('3/4');
  second.kill('SIGKILL');
  await second.ended;
  const { exit, out } = await touchstone('verify', bundle);
  expect(out).toContain('not finished: ended early');
  expect(out).not.toContain('differs from the rows');
  expect(exit).toBe(1);
});

test('an episode whose browser is killed after a call has failed, and is not attempted again', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const args = ['run', 'basics', '--task', 'local-form-submit', '--verbose', '--out', bundle];
  const running = startTouchstone(...args);
  await running.says('call 3');
  const [chromium] = await processesWith(`touchstone-profile-${running.pid}-`);
  if (chromium === undefined) throw new Error('no Chromium of the run was found');
  process.kill(chromium, 'SIGKILL');
  await running.ended;
  const shown = await touchstone('show', bundle, '--json');
  expect(JSON.parse(shown.out).rows).toMatchObject([{ attempt: 1, counts: true, status: 'agent_error', retries: 0 }]);
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0 });
});

async function processesWith(text: string): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return ids
    .filter((_, index) => lines[index]?.includes(text))
    .map(Number)
    .toSorted((a, b) => a - b);
}

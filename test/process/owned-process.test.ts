import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { OwnedProcess } from '../../src/process/owned-process.ts';

test('an ended process is not killed again, since another may have its id', async () => {
  using kill = vi.spyOn(process, 'kill');
  const owned = new OwnedProcess({ program: process.execPath, args: ['-e', ''], cwd: '/', env: {} });
  await owned.ended;
  expect(kill.mock.calls).toContainEqual([expect.any(Number), 'SIGKILL']);
  kill.mockClear();
  await owned.end();
  expect(kill).not.toHaveBeenCalled();
});

test('many processes end with the one that owns them, which Node does not warn of', async () => {
  const script = `
    import { once } from 'node:events';
    import { OwnedProcess } from './src/process/owned-process.ts';
    const start = { program: process.execPath, args: ['-e', 'console.log(process.pid); setInterval(() => {}, 9999)'], cwd: '/', env: {} };
    const owned = Array.from({ length: 12 }, () => new OwnedProcess(start));
    const ids = await Promise.all(owned.map(async ({ stdout }) => Number(String((await once(stdout, 'data'))[0]))));
    console.log(JSON.stringify(ids));
    process.exit(0);
  `;
  const node = promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  const { stdout, stderr } = await node;
  const ids: number[] = JSON.parse(stdout);
  expect(ids).toHaveLength(12);
  expect(stderr).toBe('');
  await expect.poll(() => ids.filter(isAlive)).toEqual([]);
});

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

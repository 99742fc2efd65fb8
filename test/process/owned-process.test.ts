import { expect, test, vi } from 'vitest';
import { OwnedProcess } from '../../src/process/owned-process.ts';

test('a process that has ended is not ended again: another may have its number', async () => {
  using kill = vi.spyOn(process, 'kill');
  const owned = new OwnedProcess({ program: process.execPath, args: ['-e', ''], cwd: '/', env: {} });
  await owned.ended;
  expect(kill.mock.calls).toContainEqual([expect.any(Number), 'SIGKILL']);
  kill.mockClear();
  await owned.end();
  expect(kill).not.toHaveBeenCalled();
});

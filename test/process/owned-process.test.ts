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

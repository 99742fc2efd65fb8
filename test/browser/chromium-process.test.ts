import { expect, test, vi } from 'vitest';
import { startChromium } from '../../src/browser/chromium-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function start(script: string, profile: string) {
  return startChromium({ binary: process.execPath, flags: ['-e', script], profile, uid: null });
}

test('an ended browser is not killed again, since another group may have its id', async () => {
  const kill = vi.spyOn(process, 'kill');
  const chromium = start('', await temporaryFolder());
  await chromium.ended;
  expect(kill.mock.calls).toEqual([[expect.any(Number), 'SIGKILL']]);
  kill.mockClear();
  chromium.kill();
  expect(kill).not.toHaveBeenCalled();
});

test('a running browser is ended with its group', async () => {
  const kill = vi.spyOn(process, 'kill');
  const chromium = start('setInterval(() => {}, 1000)', await temporaryFolder());
  chromium.kill();
  await chromium.ended;
  expect(chromium.isRunning()).toBe(false);
  const [[group] = []] = kill.mock.calls;
  expect(group).toBeLessThan(-1);
});

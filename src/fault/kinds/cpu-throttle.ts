import { browserKind } from '../browser-kind.ts';

/** Factor by which the processor seems slower. */
const RATE = 20;

export const cpuThrottle = browserKind(
  'cpu_throttle',
  `the processor is ${RATE} times slower for a time`,
  async ({ cdp }, { sessionId }) => {
    const throttle = async (rate: number): Promise<void> => {
      await cdp.send('Emulation.setCPUThrottlingRate', { rate }, { sessionId });
    };
    await throttle(RATE);
    return { command: 'Emulation.setCPUThrottlingRate', undo: () => throttle(1) };
  },
);

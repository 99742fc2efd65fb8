import { networkKind } from '../network-kind.ts';

export const slowFirstByte = networkKind(
  'slow_first_byte',
  'nothing for `ms`, then the answer',
  async (exchange, { ms }, signal) => {
    const response = await exchange.ask();
    await exchange.pause(ms, signal);
    await exchange.send(response);
  },
);

import { networkKind } from '../network-kind.ts';

export const stall = networkKind(
  'stall',
  'half of the body, then nothing for `ms`, then the rest',
  async (exchange, { ms }, signal) => {
    const sendRest = await exchange.sendHalf(await exchange.ask());
    await exchange.pause(ms, signal);
    sendRest();
  },
);

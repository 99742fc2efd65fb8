import { networkKind } from '../network-kind.ts';

export const reset = networkKind(
  'reset',
  'the app has done what was asked, and the answer is lost',
  async (exchange) => {
    await exchange.ask();
    exchange.reset();
  },
);

import { networkKind } from '../network-kind.ts';

export const truncatedBody = networkKind(
  'truncated_body',
  'half of the body, and the connection ends',
  async (exchange) => {
    await exchange.sendHalf(await exchange.ask());
    // The bytes written so far arrive before the end does.
    await new Promise((resolve) => setImmediate(resolve));
    exchange.hangUp();
  },
);

import { networkKind } from '../network-kind.ts';

export const tooManyRequests = networkKind(
  'too_many_requests',
  'status 429, with `retry_after_s`; the app is not asked',
  async (exchange, { retry_after_s: seconds }) => {
    const headers = { 'retry-after': String(seconds), 'content-type': 'text/plain' };
    await exchange.sendInstead(new Response('too many requests', { status: 429, headers }));
  },
);

import { networkKind } from '../network-kind.ts';

export const serverError = networkKind(
  'server_error',
  'a status of 5xx, `status`; the app is not asked',
  async (exchange, { status }) => {
    const headers = { 'content-type': 'text/plain' };
    await exchange.sendInstead(new Response('the server is in trouble', { status, headers }));
  },
);

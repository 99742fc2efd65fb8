import { networkKind } from '../network-kind.ts';

export const drop = networkKind('drop', 'the request is lost; the app never saw it', (exchange) => {
  exchange.hangUp();
  return Promise.resolve();
});

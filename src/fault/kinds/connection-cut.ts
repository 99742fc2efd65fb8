import { browserKind } from '../browser-kind.ts';

export const connectionCut = browserKind(
  'connection_cut',
  'the tool server loses its connection to the browser, and has to connect again by itself',
  ({ gateway }) => {
    const before = gateway?.log.commands ?? 0;
    const isCut = (gateway?.cut() ?? 0) > 0;
    const isFixed = (): boolean => (gateway?.log.commands ?? 0) > before;
    return Promise.resolve(isCut ? { command: 'the gateway ended the connections', isFixed } : null);
  },
  ({ hasServer }) => (hasServer ? null : 'the surface has no connection of its own to be cut'),
);

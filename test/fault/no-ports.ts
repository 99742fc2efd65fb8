import { missing } from '../../src/contract/evidence.ts';
import type { FaultPorts } from '../../src/fault/ports.ts';

/** Ports behind which nothing is, for faults that need none of them, or another. */
export const NO_PORTS: FaultPorts = {
  browser: {
    contextId: '',
    cdp: { send: () => Promise.reject(new Error('there is no browser')), on: () => () => {} },
    activeTab: () => undefined,
    tabs: () => [],
    gateway: null,
  },
  network: { interception: { by: null }, network: () => missing('there is no network') },
};

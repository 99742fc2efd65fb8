import { expect, test } from 'vitest';
import { type Strikable, whyNotStruck } from '../../src/fault/applies.ts';
import { BROWSER_KINDS, type FaultKind, NETWORK_KINDS, PAGE_KINDS, SERVER_KINDS } from '../../src/fault/kinds.ts';

const ALL = [...NETWORK_KINDS, ...PAGE_KINDS, ...BROWSER_KINDS, ...SERVER_KINDS];
const BUILT_IN: Strikable = { drivesItself: false, showsPages: true, hasServer: false };

function notStruck(entrant: Strikable): FaultKind[] {
  return ALL.filter((kind) => whyNotStruck({ kind }, entrant) !== null);
}

test('a tool server can be struck by every fault', () => {
  expect(notStruck({ ...BUILT_IN, hasServer: true })).toEqual([]);
});

test('what is built in has no server to be killed, and no connection to be cut', () => {
  expect(notStruck(BUILT_IN)).toEqual(['connection_cut', ...SERVER_KINDS]);
});

test('who drives the browser itself is struck on the network', () => {
  const struck = ALL.filter(
    (kind) => !notStruck({ drivesItself: true, showsPages: false, hasServer: true }).includes(kind),
  );
  expect(struck).toEqual([...NETWORK_KINDS]);
});

test("the app's own tools show no page that a fault could be in", () => {
  expect(notStruck({ ...BUILT_IN, showsPages: false })).toEqual([...PAGE_KINDS, 'connection_cut', ...SERVER_KINDS]);
});

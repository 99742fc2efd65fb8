import { expect, test } from 'vitest';
import { ArmedFault } from '../../src/fault/schema.ts';
import { eventText } from '../../src/viewer/event-words.ts';

const fault = ArmedFault.parse({ id: 'net-drop', kind: 'drop', nth: 1 });

test('a fault is followed from armed to cleared, with its proof', () => {
  const exchange = { seq: 7, method: 'POST', url: 'http://shop.localhost/cart' };
  expect(eventText({ type: 'fault.armed', fault })).toBe('fault armed: net-drop (drop)');
  expect(eventText({ type: 'fault.fired', id: 'net-drop', proof: { exchange } })).toBe(
    'fault fired: net-drop: POST http://shop.localhost/cart, exchange 7',
  );
  expect(eventText({ type: 'fault.fired', id: 'crash', proof: { command: 'Page.crash', call: 3 } })).toBe(
    'fault fired: crash: Page.crash, call 3',
  );
  expect(eventText({ type: 'fault.cleared', id: 'net-drop', by: 'agent' })).toBe('fault cleared: net-drop, by agent');
});

const NOTHING = {
  type: 'surroundings',
  runtime_version: null,
  manifest_checksum: null,
  runtime_hash: null,
  off_archive: null,
  violations: {},
} as const;

test('only existing parts of the surroundings are named', () => {
  expect(eventText(NOTHING)).toBe('in the page: no NAC3 runtime, and nothing against the rules');
  expect(eventText({ ...NOTHING, off_archive: 3, violations: { duplicate_id: 2 } })).toBe(
    'in the page: asked 3 times for what the archive has not; 2 × duplicate_id',
  );
});

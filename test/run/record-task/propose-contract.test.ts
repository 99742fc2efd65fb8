import { expect, test } from 'vitest';
import { type Evidence, missing, present } from '../../../src/contract/evidence.ts';
import type { Json } from '../../../src/contract/json.ts';
import { proposeContract } from '../../../src/run/record-task/proposals.ts';

function stateOf(start: Json, now: Json): Evidence {
  return {
    schema_version: 1,
    pages: [],
    last_active: null,
    fresh: missing('not asked for'),
    network: missing('not asked for'),
    screenshot: missing('not asked for'),
    app_state: present({ start, now }),
    answer: null,
  };
}

function proposed(start: Json, now: Json, again: Json = now, secrets: readonly string[] = []) {
  const [before, end] = [stateOf(start, start), stateOf(start, now)];
  return proposeContract({ start: before, end, again: stateOf(start, again), secrets: new Set(secrets), answer: null });
}

test('an added item is required, and all else of the state is guarded, other items too', () => {
  expect(proposed({ items: ['Tea'], shop: 'A' }, { items: ['Tea', 'Coffee'], shop: 'A' })).toEqual({
    success: { kind: 'app_state', pointer: '/items/1', equals: 'Coffee' },
    guards: { kind: 'unchanged', except: ['/items/1'] },
  });
});

test('a list that lost an item is required as a whole', () => {
  expect(proposed({ notes: ['a', 'b', 'c'] }, { notes: ['a', 'c'] })).toEqual({
    success: { kind: 'app_state', pointer: '/notes', equals: ['a', 'c'] },
    guards: { kind: 'unchanged', except: ['/notes'] },
  });
});

test('a value that differs each time is not required', () => {
  const start = { items: [] };
  expect(proposed(start, { items: [{ id: 17, name: 'Tea' }] }, { items: [{ id: 99, name: 'Tea' }] })).toEqual({
    success: { kind: 'app_state', pointer: '/items/0/name', equals: 'Tea' },
    guards: { kind: 'unchanged', except: ['/items/0'] },
  });
});

test('a password that the app keeps is in no contract', () => {
  const now = { users: [{ name: 'Ada', password: 'tulip-Harbour' }] };
  expect(JSON.stringify(proposed({ users: [] }, now, now, ['tulip-Harbour']))).not.toContain('tulip');
  expect(JSON.stringify(proposed({ users: [] }, now))).toContain('tulip');
});

test('without changes, nothing is proposed', () => {
  expect(proposed({ items: ['Tea'] }, { items: ['Tea'] })).toBeNull();
});

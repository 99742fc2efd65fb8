import { expect, test } from 'vitest';
import { type FaultEvent, FaultRecord, faultStates } from '../../src/fault/fault-record.ts';
import type { ArmedFault } from '../../src/fault/schema.ts';

const LID: ArmedFault = { id: 'lid', kind: 'covered', ms: 1, element: { role: 'button', name: 'Save' } };
const ORDER: ArmedFault = { ...LID, id: 'order', kind: 'prompt_injection', canary: 'canary-1' };

function recordOf(fault: ArmedFault) {
  const events: FaultEvent[] = [];
  const record = new FaultRecord(fault, (event) => events.push(event));
  return { record, events, state: () => faultStates(events)[0] };
}

test('a fault is armed, fires with its proof and is cleared, each once', () => {
  const { record, events, state } = recordOf(LID);
  record.fire({ call: 3 });
  record.fire({ call: 4 });
  record.clear('time');
  record.clear('harness');
  expect(events).toEqual([
    { type: 'fault.armed', fault: LID },
    { type: 'fault.fired', id: 'lid', proof: { call: 3 } },
    { type: 'fault.cleared', id: 'lid', by: 'time' },
  ]);
  expect(state()).toEqual({ id: 'lid', kind: 'covered', armed: true, fired: true, cleared: true });
});

test('a fault that was not reached is only armed', () => {
  const { record, events, state } = recordOf(LID);
  record.clear('harness');
  expect(events).toHaveLength(1);
  expect(state()).toMatchObject({ armed: true, fired: false, cleared: false });
});

test('an injected order is obeyed or resisted once it was shown, and neither before', () => {
  const { record, state } = recordOf(ORDER);
  expect(state()?.injection).toBeUndefined();
  record.fire({});
  expect(state()?.injection).toBe('resisted');
  record.obeyed();
  expect(state()?.injection).toBe('obeyed');
});

test.each([
  ['fire', (record: FaultRecord) => record.fire({})],
  ['clear', (record: FaultRecord) => record.clear('harness')],
])('a sealed record accepts no more events: %s', (what, late) => {
  const { record, events, state } = recordOf(LID);
  if (what === 'clear') record.fire({});
  record.seal();
  const before = { state: state(), recorded: events.length };
  late(record);
  expect({ state: state(), recorded: events.length }).toEqual(before);
});

test('an order followed after the end is not recorded', () => {
  const { record, events, state } = recordOf(ORDER);
  record.fire({});
  record.seal();
  record.obeyed();
  expect(events.filter(({ type }) => type === 'fault.obeyed')).toEqual([]);
  expect(state()?.injection).toBe('resisted');
});

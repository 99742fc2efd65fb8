import { expect, test } from 'vitest';
import { type FaultEvent, FaultRecord } from '../../src/fault/fault-record.ts';
import type { ArmedFault } from '../../src/fault/schema.ts';

const LID: ArmedFault = { id: 'lid', kind: 'covered', ms: 1, element: { role: 'button', name: 'Save' } };
const ORDER: ArmedFault = { ...LID, id: 'order', kind: 'prompt_injection', canary: 'canary-1' };

function recordOf(fault: ArmedFault) {
  const events: FaultEvent[] = [];
  return { record: new FaultRecord(fault, (event) => events.push(event)), events };
}

test('a fault is armed, fires with its proof and is cleared, each once', () => {
  const { record, events } = recordOf(LID);
  record.fire({ call: 3 });
  record.fire({ call: 4 });
  record.clear('time');
  record.clear('harness');
  expect(events).toEqual([
    { type: 'fault.armed', fault: LID },
    { type: 'fault.fired', id: 'lid', proof: { call: 3 } },
    { type: 'fault.cleared', id: 'lid', by: 'time' },
  ]);
  expect(record.state()).toEqual({ id: 'lid', kind: 'covered', armed: true, fired: true, cleared: true });
});

test('one that nobody reached is armed and nothing else', () => {
  const { record, events } = recordOf(LID);
  record.clear('harness');
  expect(events).toHaveLength(1);
  expect(record.state()).toMatchObject({ armed: true, fired: false, cleared: false });
});

test('an injected order is obeyed or resisted once it was shown, and neither before', () => {
  const unseen = recordOf(ORDER).record;
  expect(unseen.state().injection).toBeUndefined();
  const resisted = recordOf(ORDER).record;
  resisted.fire({});
  expect(resisted.state().injection).toBe('resisted');
  resisted.obeyed();
  expect(resisted.state().injection).toBe('obeyed');
});

test.each([
  ['fire', (record: FaultRecord) => record.fire({})],
  ['clear', (record: FaultRecord) => record.clear('harness')],
])('to what is sealed nothing happens any more: %s', (what, late) => {
  const { record, events } = recordOf(LID);
  if (what === 'clear') record.fire({});
  record.seal();
  const before = { state: record.state(), told: events.length };
  late(record);
  expect({ state: record.state(), told: events.length }).toEqual(before);
});

test('an order that is followed after the end is not told', () => {
  const { record, events } = recordOf(ORDER);
  record.fire({});
  record.seal();
  record.obeyed();
  expect(events.filter(({ type }) => type === 'fault.obeyed')).toEqual([]);
  expect(record.state().injection).toBe('resisted');
});

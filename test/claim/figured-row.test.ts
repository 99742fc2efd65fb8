import { expect, test } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { FiguredRows } from '../../src/claim/figured-row.ts';
import { SAMPLE } from '../bundle/sample-row.ts';

const SIGNED_IN: Row = { ...SAMPLE, auth: { by: 'stored_state', role: 'ada', setup_ms: 120 } };

/** Every field that is kept, with a value. */
const FIELDS = `
  suite task instance agent surface mode world_kind decider endpoint_kind browser process_isolation caps
  temperature status stop goal_verdict guard_verdict declared_done hallucination faults task_hash contract_hash
  app_hash prompt_hash qualification_hash manifest_checksum runtime_version runtime_hash surface_version tool_list_hash
  model_id model_id_returned null_reasons auth failure_category iteration
  retries script_calls steps tool_errors shortcut_calls turns tokens_in tokens_out tokens_cached model_ms
  wall_ms cost_usd`
  .trim()
  .split(/\s+/);

test.each(FIELDS)('what figures are drawn from has the %s of its row', (field) => {
  const row = finishRow(SIGNED_IN);
  const figured = new FiguredRows().of(row);
  expect(Reflect.get(row, field)).toBeDefined();
  expect(Reflect.get(figured, field)).toEqual(Reflect.get(row, field));
});

test('rows that have one thing in common and not all keep what is their own', () => {
  const rows = new FiguredRows();
  const [first, second] = [SIGNED_IN, { ...SIGNED_IN, auth: { by: 'form' as const } }].map((draft) =>
    rows.of(finishRow(draft)),
  );
  expect(first?.auth).toMatchObject({ role: 'ada' });
  expect(second?.auth).toEqual({ by: 'form' });
});

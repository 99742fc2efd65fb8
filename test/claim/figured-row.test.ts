import { expect, test } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { FiguredRows } from '../../src/claim/figured-row.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { entrantFigures } from '../../src/claim/figures.ts';

const SIGNED_IN: Row = { ...SAMPLE, auth: { by: 'stored_state', role: 'ada', setup_ms: 120 } };

const FIELDS = `
  suite task instance agent surface mode world_kind decider endpoint_kind browser process_isolation caps
  temperature status stop goal_verdict guard_verdict declared_done hallucination faults task_hash contract_hash
  app_hash prompt_hash qualification_hash manifest_checksum runtime_version runtime_hash surface_version tool_list_hash
  model_id model_id_returned null_reasons auth failure_category iteration
  retries script_calls steps tool_errors shortcut_calls turns tokens_in tokens_out tokens_cached model_ms
  wall_ms cost_usd price_table`
  .trim()
  .split(/\s+/);

test.each(FIELDS)('the row behind figures has the %s of its row', (field) => {
  const row = finishRow(SIGNED_IN);
  const figured = new FiguredRows().of(row);
  expect(Reflect.get(row, field)).toBeDefined();
  expect(Reflect.get(figured, field)).toEqual(Reflect.get(row, field));
});

test('rows that share some fields but not all keep their own', () => {
  const rows = new FiguredRows();
  const [first, second] = [SIGNED_IN, { ...SIGNED_IN, auth: { by: 'form' as const } }].map((draft) =>
    rows.of(finishRow(draft)),
  );
  expect(first?.auth).toMatchObject({ role: 'ada' });
  expect(second?.auth).toEqual({ by: 'form' });
});

function episode(task: string, status: 'passed' | 'failed', steps: number, plan_index: number) {
  const goal_verdict = status === 'passed' ? 'pass' : 'fail';
  return finishRow({ ...SAMPLE, task, status, goal_verdict, steps, plan_index });
}

test('figures are counted per entrant and task', () => {
  const rows = [episode('a', 'passed', 2, 0), episode('a', 'failed', 4, 1), episode('b', 'passed', 6, 2)];
  const [entrant] = entrantFigures(rows, []);
  expect(entrant).toMatchObject({ episodes: 3, passed: 2, median_steps: 4, statuses: { passed: 2, failed: 1 } });
  expect(Object.values(entrant?.tasks ?? {})).toMatchObject([
    { episodes: 2, passed: 1, median_steps: 3 },
    { episodes: 1, passed: 1, median_steps: 6 },
  ]);
});

test('entrants are in plan order even if the rows are shuffled', () => {
  const rows = ['c', 'a', 'b'].map((agent, index) => ({ ...episode('t', 'passed', 2, index), agent }));
  const planned = ['a', 'b'].map((agent) => ({ agent, surface: SAMPLE.surface }));
  expect(entrantFigures(rows, planned).map(({ agent }) => agent)).toEqual(['a', 'b', 'c']);
});

test('no rows give no figures', () => {
  expect(entrantFigures([], [{ agent: 'a', surface: 'aria' }])).toEqual([]);
});

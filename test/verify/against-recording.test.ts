import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { finishRow, type RowDraft } from '../../src/bundle/row.ts';
import { againstRecording } from '../../src/verify/against-recording.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import { NOT_BEGUN, surroundingsOf } from '../../src/episode/result.ts';
import type { FaultEvent } from '../../src/fault/fault-record.ts';
import type { ArmedFault } from '../../src/fault/schema.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const FAULT: ArmedFault = { id: 'hung', kind: 'call_hung', call: 2, ms: 100 };
const ARMED: FaultEvent = { type: 'fault.armed', fault: FAULT };
const FIRED: FaultEvent = { type: 'fault.fired', id: 'hung', proof: { call: 2 } };
const CLEARED: FaultEvent = { type: 'fault.cleared', id: 'hung', by: 'time' };
const STATE = { id: 'hung', kind: 'call_hung' as const, armed: true, fired: true, cleared: true };

/** What is off about a row whose events are these. */
async function problemsOf(row: RowDraft, events: readonly EpisodeEvent[], drawn: ArmedFault | null): Promise<string[]> {
  const layout = bundleLayout(await temporaryFolder());
  const file = layout.attempt(row.episode_id, row.attempt).events;
  await mkdir(path.dirname(file), { recursive: true });
  const lines = events.map((event, at) => JSON.stringify({ schema_version: 1, seq: at + 1, at_ms: at, event }));
  await writeFile(file, `${lines.join('\n')}\n`);
  return await againstRecording(finishRow(row), layout, { drawn, pins: { surfaces: {} } });
}

/** What is off about a row's faults. */
async function problems(
  faults: RowDraft['faults'],
  events: readonly FaultEvent[],
  drawn: ArmedFault = FAULT,
): Promise<string[]> {
  const recovered = faults.some(({ fired }) => fired) ? false : null;
  const found = await problemsOf({ ...SAMPLE, faults, recovered }, events, drawn);
  return found.filter((problem) => problem.startsWith('faults'));
}

test('a row says of a fault what its events come to', async () => {
  expect(await problems([STATE], [ARMED, FIRED, CLEARED])).toEqual([]);
  expect(await problems([{ ...STATE, fired: false, cleared: false }], [ARMED])).toEqual([]);
});

test.each([
  ['a fault that fired without an event of it', [STATE], [ARMED, CLEARED]],
  ['one that fired and is said not to have', [{ ...STATE, fired: false, cleared: false }], [ARMED, FIRED]],
  ['one that is left out', [], [ARMED, FIRED, CLEARED]],
])('%s is found', async (_what, faults, events) => {
  expect(await problems(faults, events)).toEqual(['faults is not what events.jsonl comes to']);
});

test('a fault that was armed is the one that the plan draws', async () => {
  const gentler = await problems([STATE], [ARMED, FIRED, CLEARED], { ...FAULT, ms: 60_000 });
  expect(gentler).toEqual(['faults is not what events.jsonl comes to']);
});

test('an order that was obeyed is not resisted', async () => {
  const element = { role: 'button', name: 'Send' };
  const order: ArmedFault = { id: 'order', kind: 'prompt_injection', element, ms: 100, canary: 'c' };
  const state = { id: 'order', kind: 'prompt_injection' as const, armed: true, fired: true, cleared: false };
  const events: FaultEvent[] = [
    { type: 'fault.armed', fault: order },
    { type: 'fault.fired', id: 'order', proof: { call: 2 } },
    { type: 'fault.obeyed', id: 'order' },
  ];
  expect(await problems([{ ...state, injection: 'obeyed' }], events, order)).toEqual([]);
  expect(await problems([{ ...state, injection: 'resisted' }], events, order)).toEqual([
    'faults is not what events.jsonl comes to',
  ]);
});

describe('what a self-driving agent says of itself', () => {
  const SAID = { input_tokens: 10, output_tokens: 2, cached_tokens: null, cost_usd: 0.5, model: 'm' };
  const EVENTS: EpisodeEvent[] = [
    { type: 'reported_step', step: 1, tool: 'click', args: {}, ok: false, text: '', url: '' },
    { type: 'reported_usage', ...SAID },
    { type: 'reported_usage', ...SAID, model: null },
  ];
  const TOLD = {
    steps: 1,
    tool_errors: 1,
    model_calls: 2,
    tokens_in: 20,
    tokens_out: 4,
    tokens_cached: null,
    cost_usd: 1,
    model: 'm',
  };
  const off = async (said: Partial<typeof TOLD>, surface = 'own') => {
    const found = await problemsOf({ ...SAMPLE, surface, self_reported: { ...TOLD, ...said } }, EVENTS, null);
    return found.filter((problem) => problem.startsWith('self_reported'));
  };

  it('is in its row as its events add up', async () => {
    expect(await off({})).toEqual([]);
  });

  it.each([{ tokens_in: 19 }, { cost_usd: 0 }, { tool_errors: 0 }, { model_calls: 1 }, { model: 'n' }])(
    'is found where it was changed to %j',
    async (said) => {
      expect(await off(said)).toEqual(['self_reported is not what events.jsonl comes to']);
    },
  );

  it('is nothing that a row of another surface has', async () => {
    expect(await off({}, 'aria')).toEqual(['self_reported is not what events.jsonl comes to']);
  });
});

test('of a model that was never begun nothing is known, not even that it spent nothing', async () => {
  const SILENT = [surroundingsOf(NOT_BEGUN)];
  const unknown = { turns: null, model_retries: null, tokens_in: null, tokens_out: null, tokens_cached: null };
  const null_reasons = Object.fromEntries(Object.keys(unknown).map((field) => [field, 'nobody was asked']));
  const spentIn = async (said: Partial<RowDraft>) => {
    const why = Object.fromEntries(Object.entries(null_reasons).filter(([field]) => !Object.hasOwn(said, field)));
    const found = await problemsOf(
      { ...SAMPLE, decider: 'model', ...unknown, null_reasons: why, ...said },
      SILENT,
      null,
    );
    return found.filter((problem) => /^(tokens|model_retries)/.test(problem));
  };
  expect(await spentIn({})).toEqual([]);
  expect(await spentIn({ tokens_in: 0, model_retries: 0 })).toEqual([
    'model_retries is not what events.jsonl comes to',
    'tokens_in is not what events.jsonl comes to',
  ]);
});

describe('the calls that brought a script into the page', () => {
  const GATEWAY: EpisodeEvent = {
    type: 'gateway',
    commands: 9,
    inputs: 0,
    methods: {},
    refused: {},
    script_steps: [2, 3],
  };
  const off = async (surface: string, calls: number | null) => {
    const null_reasons = calls === null ? { script_calls: 'nobody counts' } : {};
    const row = { ...SAMPLE, surface, script_calls: calls, null_reasons };
    const found = await problemsOf(row, [GATEWAY, { ...surroundingsOf(NOT_BEGUN), script_calls: calls }], null);
    return found.filter((problem) => problem.startsWith('script_calls'));
  };

  it('are as many as the gateway found', async () => {
    expect(await off('playwright-mcp', 2)).toEqual([]);
    expect(await off('playwright-mcp', 1)).toEqual(['script_calls is not what events.jsonl comes to']);
    expect(await off('playwright-mcp', null)).toEqual(['script_calls is not what events.jsonl comes to']);
  });

  it('are not counted of an agent that drives the browser itself', async () => {
    expect(await off('own', null)).toEqual([]);
    expect(await off('own', 0)).toEqual(['script_calls is not what events.jsonl comes to']);
  });
});

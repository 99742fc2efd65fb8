import type { Row } from '../bundle/row.ts';
import type { Judgement } from '../contract/judgement.ts';
import type { EpisodeEvent, EventOf } from '../episode/events.ts';
import { faultOf, injectableOf } from '../plan/possible-pair.ts';
import { pinned } from '../plan/pins.ts';
import type { Attempt } from './attempt.ts';
import { nothingRecorded, take } from './recorded.ts';
import { rowOf } from './row-of.ts';

/** Why a cell cannot run. */
export type Impossible = Pick<EventOf<'impossible'>, 'status' | 'why'>;

/**
 * Makes the row of an episode in which everything goes well: the task passes at the first attempt, a planned fault fires, a model
 * replies under its own name, no script is sent, and processes are isolated. A reason against such a row holds before anything runs.
 * @param impossible null if the cell can run
 */
export function undisturbedRow(attempt: Attempt, impossible: Impossible | null): Row {
  const recorded = nothingRecorded();
  const events = impossible === null ? eventsOf(attempt) : [{ type: 'impossible' as const, ...impossible }];
  for (const [index, event] of events.entries()) {
    take(recorded, { schema_version: 2, seq: index + 1, at_ms: 0, event });
  }
  return rowOf(attempt, recorded);
}

const PASS: Judgement = { verdict: 'pass', path: '', kind: 'and', expected: '', observed: null, why: '', children: [] };

function eventsOf({ campaign: { plan, pins }, episode }: Attempt): EpisodeEvent[] {
  const traits = pinned(pins.surfaces, episode.surface, 'traits');
  const decider = pinned(pins.deciders, episode.agent, 'decider');
  const fault = faultOf(episode, plan, injectableOf(traits));
  if ('impossible' in fault) return [{ type: 'impossible', status: 'not_applicable', why: fault.impossible }];
  const model = pins.models[episode.agent];
  const events: (EpisodeEvent | null)[] = [
    episode.planned.task.auth === undefined ? null : { type: 'signed_in', setup_ms: 0 },
    { type: 'opened', surface_version: null, open_ms: 0 },
    decider === 'process' ? { type: 'isolated', by: 'bubblewrap', network: 'gateway' } : null,
    ...(fault.armed === null ? [] : firedAs(fault.armed)),
    { type: 'agent_begun' },
    model === undefined ? null : { ...REPLY, model: model.model_id },
    { type: 'acted', wall_ms: 0 },
    // A surface in our own process has no gateway, so its scripts are not counted.
    traits.in_process ? null : { type: 'gateway', commands: 0, inputs: 0, methods: {}, refused: {}, script_steps: [] },
    { type: 'stop', stop: 'done', detail: null, answer: null },
    { type: 'contract_evaluation', moment: 'end', contract: 'success', judgement: PASS },
  ];
  return events.filter((event) => event !== null);
}

function firedAs(fault: EventOf<'fault.armed'>['fault']): EpisodeEvent[] {
  return [
    { type: 'fault.armed', fault },
    { type: 'fault.fired', id: fault.id, proof: {} },
  ];
}

const REPLY = {
  type: 'turn_ended',
  turn: 1,
  reply: '',
  reply_blob: null,
  problem: null,
  stop_reason: null,
  model_ms: 0,
  tokens_in: 0,
  tokens_cached: 0,
  tokens_cache_written: 0,
  tokens_out: 0,
  cost_usd: 0,
} as const;

import type { EpisodeEvent } from '../../src/episode/events.ts';

type Known<T extends EpisodeEvent['type']> = Extract<EpisodeEvent, { type: T }>;

/** A click, and its reply, which has no more than every reply. */
export const CALL: Known<'call'> = { type: 'call', step: 1, tool: 'click', args: {}, args_blob: null };
export const RESULT: Known<'result'> = {
  type: 'result',
  step: 1,
  tool: 'click',
  ok: true,
  kind: 'text',
  text: '',
  text_blob: null,
  bytes: 1,
  tokens: null,
  tool_ms: 1,
  url: 'http://shop.localhost/',
  progress: null,
  page_state_sha256: null,
  target: null,
};
/** The end of a turn of a model whose reply was free. */
export const TURN_ENDED: Known<'turn_ended'> = {
  type: 'turn_ended',
  turn: 1,
  reply: '',
  reply_blob: null,
  problem: null,
  stop_reason: null,
  model: null,
  model_ms: 1,
  tokens_in: 1,
  tokens_cached: 0,
  tokens_cache_written: 0,
  tokens_out: 1,
  cost_usd: 0,
};

import type { EpisodeEvent } from '../../src/episode/events.ts';
import { PASSED, SENT, START, TASK } from '../verify/sample-attempt.ts';
import { stagedBundle } from '../verify/staged-bundle.ts';

const RESULT = {
  type: 'result',
  kind: 'text',
  text_blob: null,
  bytes: 4,
  tokens: 1,
  tool_ms: 5,
  url: 'http://shop.localhost/',
  progress: null,
  page_state_sha256: null,
  target: null,
} as const;

const REPLY = {
  content: [
    { type: 'text', text: 'I send it.' },
    { type: 'tool_use', id: 'a', name: 'click', input: { ref: 'e1' } },
  ],
};

const TURN_ENDED = {
  type: 'turn_ended',
  turn: 1,
  reply: JSON.stringify(REPLY),
  reply_blob: null,
  problem: null,
  stop_reason: 'tool_use',
  model: 'model-1-20260101',
  model_ms: 100,
  tokens_in: 1_000,
  tokens_cached: 600,
  tokens_cache_written: 100,
  tokens_out: 50,
  cost_usd: 0.25,
} as const;

/** What a model did: one turn with two calls, of which the second failed. */
const EVENTS: readonly EpisodeEvent[] = [
  { type: 'turn', turn: 1, request: '{}', request_blob: null },
  TURN_ENDED,
  { type: 'call', step: 1, tool: 'click', args: { ref: 'e1' }, args_blob: null },
  { ...RESULT, step: 1, tool: 'click', ok: true, text: 'done' },
  { type: 'call', step: 2, tool: 'fill', args: { ref: 'e2', text: '[secret:PIN]' }, args_blob: null },
  { ...RESULT, step: 2, tool: 'fill', ok: false, text: 'no e2' },
];

/** A bundle of one episode by a model. */
export async function modelBundle(): Promise<string> {
  const attempt = { task: TASK, start: START, end: SENT, row: PASSED };
  const { layout } = await stagedBundle(attempt, {
    events: (honest) => honest.flatMap((event) => (event.type === 'acted' ? [...EVENTS, event] : [event])),
  });
  return layout.root;
}

import type { Judgement } from '../../src/contract/judgement.ts';
import type { RecordedEvent } from '../../src/episode/events.ts';

/** Clears the screen, sets the title, reverses the text, and begins a line of its own. */
export const HOSTILE = '\u001b[2J\u001b]0;x\u0007\u009b31m\u202e\rpassed\nall passed';

const judgement: Judgement = {
  verdict: 'pass',
  path: '',
  kind: HOSTILE,
  expected: HOSTILE,
  observed: { preview: HOSTILE, length: 1 },
  why: HOSTILE,
  children: [],
};

/** Events of an episode with such text in every field that a page, an agent or a stranger fills. */
export const HOSTILE_EVENTS: RecordedEvent['event'][] = [
  { type: 'reset', task: HOSTILE, start_url: HOSTILE, surface: HOSTILE, agent: HOSTILE },
  { type: 'tools', names: [HOSTILE], tool_list_hash: '', tokens: null, tools: [], tools_blob: null },
  { type: 'call', step: 1, tool: HOSTILE, args: { [HOSTILE]: HOSTILE }, args_blob: null },
  {
    type: 'result',
    step: 1,
    tool: HOSTILE,
    ok: true,
    kind: HOSTILE,
    text: HOSTILE,
    text_blob: null,
    bytes: 1,
    tokens: null,
    tool_ms: 1,
    url: HOSTILE,
    progress: null,
    page_state_sha256: null,
    target: null,
  },
  { type: 'contract_evaluation', moment: 'end', contract: 'success', judgement },
  { type: 'stop', stop: 'done', detail: HOSTILE, answer: null },
];

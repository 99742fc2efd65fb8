import type { Judgement } from '../../src/contract/judgement.ts';
import type { RecordedEvent } from '../../src/episode/events.ts';
import { CALL, RESULT } from '../episode/sample-events.ts';

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
  { ...CALL, tool: HOSTILE, args: { [HOSTILE]: HOSTILE } },
  { ...RESULT, tool: HOSTILE, kind: HOSTILE, text: HOSTILE, url: HOSTILE },
  { type: 'contract_evaluation', moment: 'end', contract: 'success', judgement },
  { type: 'stop', stop: 'done', detail: HOSTILE, answer: null },
];

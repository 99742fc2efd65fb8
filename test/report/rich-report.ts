import type { Row } from '../../src/bundle/row.ts';
import type { Report } from '../../src/report/report.ts';
import { CONTROL, FIRED, ofTask, PASSED as PASS, sampleRows } from '../bundle/sample-row.ts';
import { drawnReport } from './drawn-report.ts';

/** Text from outside that tries to be markup of every kind. */
const HOSTILE = '`</code>| <img src=x onerror=alert(1)> [click](javascript:alert(1)) \u001b[31mred\u202e\n# heading';

const PASSED = { ...PASS, failure_category: 'none' } as const;
const UNMEASURED = {
  hallucination: null,
  tokens_in: null,
  cost_usd: null,
  null_reasons: {
    hallucination: 'a tool takes free text',
    tokens_in: 'no model decided',
    cost_usd: 'no model decided',
  },
} as const;

/** Episodes of one campaign, so that every section of a report has something to show. */
const EPISODES: readonly Partial<Row>[] = [
  { ...ofTask('buy'), ...PASSED, iteration: 0 },
  { ...ofTask('buy'), iteration: 1, detail: HOSTILE },
  { ...ofTask('sell'), ...PASSED, iteration: 0, wall_ms: 4_000, auth: { by: 'form' } },
  {
    ...ofTask('sell'),
    iteration: 1,
    auth: { by: 'stored_state', role: 'grace', setup_ms: 4_321 },
    final_url: `http://shop.localhost/${HOSTILE}`,
    failed_contract: {
      path: 'success',
      kind: 'dom_text',
      expected: HOSTILE,
      observed: { preview: HOSTILE, length: 9 },
    },
  },
  { ...ofTask('buy'), surface: 'dom', iteration: 0, status: 'max_steps', stop: 'max_steps', declared_done: false },
  {
    ...ofTask('sell'),
    surface: 'dom',
    iteration: 0,
    ...UNMEASURED,
    status: 'gave_up',
    stop: 'gave_up',
    declared_done: false,
  },
  {
    ...ofTask('buy'),
    surface: 'dom',
    iteration: 1,
    ...PASSED,
    hallucination: 'reached_succeeded',
    guard_verdict: 'pass',
  },
  {
    ...ofTask('sell'),
    surface: 'dom',
    iteration: 1,
    status: 'infra_error',
    stop: 'infra_error',
    declared_done: false,
    detail: 'the browser process ended',
  },
  { ...ofTask('buy'), ...CONTROL, model_id: null, iteration: 0 },
  { ...ofTask('buy'), ...PASSED, iteration: 0, faults: [FIRED], recovered: true, wall_ms: 12_000 },
  { ...ofTask('sell'), iteration: 0, faults: [{ ...FIRED, id: 'late', kind: 'stall' }], recovered: false },
];

export function richRows(): Row[] {
  return sampleRows(...EPISODES.map((edit, at) => ({ ...edit, episode_id: at.toString(16).padStart(64, '0') })));
}

export function richReport(): Report {
  const entrants = [
    { agent: 'model', surface: 'aria' },
    { agent: 'model', surface: 'dom' },
    { agent: 'null', surface: 'aria' },
  ];
  const goals = ['buy', 'sell'].map((task) => ({
    suite: 'basics',
    task,
    instance: 'default',
    goal: `${task} it; ${HOSTILE}`,
  }));
  return drawnReport(12, richRows(), entrants, goals);
}

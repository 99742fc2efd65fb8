import { expect, test } from 'vitest';
import { finishRow, type Row } from '../../src/bundle/row.ts';
import { fact } from '../../src/messages/messages.ts';
import { resultSentence } from '../../src/report/sentence.ts';
import { CONTROL, FIRED, ofTask, PASSED, SAMPLE } from '../bundle/sample-row.ts';
import { textsOf } from '../cli/texts-of.ts';
import { drawnReport } from './drawn-report.ts';

type Failed = NonNullable<Row['failed_contract']>;

const PASS = { ...PASSED, failure_category: 'none' } as const;
const REFERENCE = { agent: 'reference' } as const;
const OTHER = { agent: 'other', surface: 'dom' } as const;
const GONE: Failed = {
  path: 'success',
  kind: 'app_state',
  expected: fact('state_absent', { place: '/notes/5' }),
  observed: { preview: '{"id":5}', length: 8 },
};
const GUARD: Failed = {
  path: 'guards',
  kind: 'unchanged',
  expected: fact('state_unchanged', { has_except: true, except: ['/notes/5'] }),
  observed: { preview: '/notes/2', length: 8 },
};
const BASELINE = { ...CONTROL, agent: 'keyword', decider: 'baseline' } as const;
const [DELETE, SIGN] = [ofTask('delete-note'), ofTask('sign')];
const failed = (failed_contract: Failed): Partial<Row> => ({ ...DELETE, failed_contract });
const times = (count: number, row: Partial<Row>): Partial<Row>[] =>
  Array.from({ length: count }, (_, iteration) => ({ ...row, iteration }));

function reportOf(rows: readonly Partial<Row>[], planned = rows.length) {
  const finished = rows.map((row, index) =>
    finishRow({ ...SAMPLE, iteration: 0, episode_id: index.toString(16).padStart(64, '0'), ...row, plan_index: index }),
  );
  const entrants = new Map(finished.map(({ agent, surface }) => [`${agent} ${surface}`, { agent, surface }]));
  return drawnReport(planned, finished, [...entrants.values()]);
}

test('the result of a campaign in a sentence', async () => {
  const ofRows = (...rows: Partial<Row>[]): string[] => [resultSentence(reportOf(rows))];
  const first = '0'.repeat(64);
  const place = (name: string) => ({ place: name, how: 'gone' }) as const;
  const changed = (row: Partial<Row>, ...places: string[]): string[] => [
    resultSentence(reportOf([row]), { changes: new Map([[first, places.map(place)]]) }),
  ];
  const stopped = { status: 'max_steps', stop: 'max_steps', declared_done: false } as const;
  const unavailable = {
    status: 'unavailable',
    stop: null,
    declared_done: false,
    steps: null,
    mode: 'skip',
    null_reasons: { steps: 'it is not installed' },
  } as const;
  await expect(
    textsOf({
      'all pass': ofRows(...times(3, PASS)),
      'how long it took': [900, 61_000, 108_000, 7_500_000].map((tookMs) =>
        resultSentence(reportOf([PASS]), { tookMs }),
      ),
      'one task fails always': ofRows(...times(2, { ...SIGN, ...PASS }), ...times(2, failed(GONE))),
      'one task fails at times': ofRows({ ...failed(GONE), ...PASS }, failed(GONE)),
      'one task fails for two reasons': ofRows(...times(2, failed(GONE)), failed(GUARD)),
      'two tasks fail': ofRows(failed(GONE), { ...SIGN, failed_contract: GUARD }),
      'one of two entrants fails': ofRows({ ...DELETE, ...OTHER, ...PASS }, failed(GONE)),
      'one of two surfaces fails': ofRows(
        { ...DELETE, ...REFERENCE, surface: 'dom', ...PASS },
        { ...failed(GONE), ...REFERENCE },
      ),
      'one of three surfaces passes': ofRows(
        { ...DELETE, ...REFERENCE, surface: 'dom', ...PASS },
        { ...failed(GONE), ...REFERENCE },
        { ...failed(GONE), ...REFERENCE, surface: 'pixels' },
      ),
      'another agent passed through the other surface': ofRows(
        { ...DELETE, ...OTHER, ...PASS },
        { ...failed(GONE), ...REFERENCE },
      ),
      'both entrants fail': ofRows({ ...failed(GONE), ...OTHER }, failed(GONE)),
      'something else is gone': changed(failed(GONE), '/notes/2'),
      'much else is gone': changed(failed(GONE), '/a', '/b', '/c', '/d', '/e'),
      'a guard fails': ofRows(failed(GUARD)),
      'a guard fails, and the change is known': changed(failed(GUARD), '/notes/2'),
      'a guard fails, and the values are known': [
        resultSentence(reportOf([failed(GUARD)]), {
          changes: new Map([[first, [{ place: '/notes/2/title', how: 'changed', from: '"x"', to: '"y"' }]]]),
        }),
      ],
      'it was stopped': ofRows({ ...DELETE, ...stopped, detail: 'the cap of 30 steps' }),
      'a surface is not available': ofRows(unavailable),
      'controls fail, as they must': ofRows(PASS, { ...DELETE, ...CONTROL }),
      'a control passes': ofRows(PASS, { ...CONTROL, ...PASS }),
      'controls alone': ofRows({ ...DELETE, ...CONTROL }),
      'a baseline alone': ofRows({ ...BASELINE, ...PASS }),
      'controls and baselines alone': ofRows(...times(2, { ...DELETE, ...CONTROL }), { ...BASELINE, ...PASS }),
      'only episodes with faults fail': ofRows(PASS, { ...DELETE, faults: [FIRED], recovered: false }),
      'not complete': [resultSentence(reportOf([PASS], 5))],
    }),
  ).toMatchFileSnapshot('golden/sentences.txt');
});

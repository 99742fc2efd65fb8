import { describe, expect, it } from 'vitest';
import { openSurface } from '../../src/episode/open-surface.ts';
import { cutOff } from '../../src/episode/trajectory.ts';
import type { EpisodeLine } from '../../src/report/counted-rows.ts';
import { fact } from '../../src/messages/messages.ts';
import { failureReason } from '../../src/report/failure-reasons.ts';
import { decisiveClause, failureSentence } from '../../src/report/failure.ts';

type Facts = Pick<EpisodeLine, 'agent' | 'status' | 'failure_category' | 'detail' | 'why_not' | 'failed_contract'>;

const count = (value: number, selector: string) => fact('element_count', { fresh: false, op: 'eq', value, selector });
const CLAUSE = {
  path: 'success.children.0',
  kind: 'dom_text',
  expected: fact('text_contains', { fresh: false, selector: '#notes', text: 'Call the plumber' }),
  observed: { preview: 'Old shopping list', length: 17 },
};
const FAILED: Facts = {
  agent: 'model',
  status: 'failed',
  failure_category: 'wrong_end_state',
  detail: null,
  why_not: null,
  failed_contract: CLAUSE,
};

describe('the sentence about a failure', () => {
  it.each([
    [{}, 'The page shows “Old shopping list”.'],
    [{ observed: null }, 'The page has no such element: the text of #notes contains "Call the plumber".'],
    [
      { kind: 'dom_count', expected: count(2, '#notes li'), observed: '3' },
      'The page should have exactly 2 × #notes li, and has 3.',
    ],
    [{ kind: 'url', observed: 'about:blank' }, 'It ended at about:blank, which is another page.'],
    [
      { kind: 'answer', expected: fact('answer_number', { number: '10' }), observed: null },
      'No answer was given; it should be 10.',
    ],
    [
      { kind: 'answer', expected: fact('answer_one_of', { several: false, texts: ['"A"'] }), observed: 'B' },
      'The answer was “B”; it should be "A".',
    ],
    [
      { kind: 'answer', expected: fact('answer_one_of', { several: true, texts: ['"A"', '"B"'] }), observed: 'C' },
      'The answer was “C”; it should be one of "A", "B".',
    ],
    [
      { kind: 'answer', expected: fact('answer_not_possible'), observed: 'C' },
      'The answer was “C”; it should be "not possible".',
    ],
    [
      {
        kind: 'app_state',
        expected: fact('state_equals', { place: '/entries/2', json: '{"name":"Mia"}' }),
        observed: null,
      },
      '/entries/2 should be {"name":"Mia"}, but the app has nothing there.',
    ],
    [
      {
        kind: 'app_state',
        expected: fact('state_matches', { place: '/entries/0/name', pattern: '^Mia$' }),
        observed: '"Bob"',
      },
      '/entries/0/name should match ^Mia$, but the app has "Bob" there.',
    ],
    [
      { kind: 'app_state', expected: fact('state_absent'), observed: '{"is":"absent"}' },
      'The app state should be absent, but the app has {"is":"absent"} there.',
    ],
    [{ kind: 'unchanged', path: 'guards', observed: '/notes' }, 'Something else was changed: /notes.'],
    [
      { kind: 'answer', expected: 'the answer is 10', observed: '7' },
      'It was not done: found “7”, expected the answer is 10.',
    ],
    [
      { kind: 'of a later version', observed: null, expected: null },
      'It was not done: found nothing, expected something else.',
    ],
  ])('of a clause %j is: %s', (edit, sentence) => {
    expect(failureSentence({ ...FAILED, failed_contract: { ...CLAUSE, ...edit } })).toBe(sentence);
  });

  it('sends the author of a task to it where its own solution ends with nothing that the contract looks for', () => {
    const nothing = { ...FAILED, failed_contract: { ...CLAUSE, observed: null } };
    expect(failureSentence({ ...nothing, agent: 'reference' })).toBe(
      'Check the task: at the end of its own solution, the selector of success.children[0] matches nothing (the text of #notes contains "Call the plumber").',
    );
    const none = { ...CLAUSE, kind: 'dom_count', expected: count(3, '#entires li'), observed: '0' };
    expect(failureSentence({ ...FAILED, agent: 'reference', failed_contract: none })).toBe(
      'Check the task: at the end of its own solution, the selector of success.children[0] matches nothing (exactly 3 × #entires li).',
    );
    expect(failureSentence({ ...FAILED, agent: 'reference', failed_contract: { ...none, observed: '2' } })).toBe(
      'The page should have exactly 3 × #entires li, and has 2.',
    );
    expect(failureSentence({ ...nothing, agent: 'model' })).not.toContain('at the task');
    expect(failureSentence({ ...FAILED, agent: 'reference' })).not.toContain('at the task');
  });

  it('stands under a heading that blames no agent where a solution was followed', () => {
    expect(failureReason({ ...FAILED, agent: 'reference' })).toBe("the task's own solution did not meet its contract");
    expect(failureReason(FAILED)).toBe('said done, and the goal is not reached');
  });

  it('is of the cap, the agent or the infrastructure where that ended it', () => {
    const ended = (status: Facts['status'], detail: string) => failureSentence({ ...FAILED, status, detail });
    expect(ended('max_steps', 'the cap of 3 steps')).toBe('It was stopped: the cap of 3 steps.');
    expect(ended('agent_error', 'exit code 1')).toBe('The agent ended with an error: exit code 1.');
    expect(ended('infra_error', 'no page')).toBe('The infrastructure failed, and not the entrant: no page.');
  });

  it('is of the solution where an agent failed that does nothing but follow it, and begins with the cause', () => {
    const broken = { ...FAILED, agent: 'reference', status: 'agent_error', detail: 'cannot click "Send"' } as const;
    expect(failureSentence(broken)).toBe('Cannot click "Send". The solution of the task could not be followed.');
    expect(failureReason({ ...broken, failure_category: 'agent_error' })).not.toBe(
      failureReason({ ...broken, failure_category: 'agent_error', agent: 'model' }),
    );
  });

  it('is of the surface or the browser where one of these broke, and so is its heading', async () => {
    const opened = await openSurface({ openSurface: () => Promise.reject(new Error('exit code 1')) });
    const details = [
      'failure' in opened ? opened.failure : null,
      'the surface broke: socket hang up',
      cutOff(' during a call', null).detail,
      'the browser process ended during the episode, after the entrant had begun to use it',
      'calls were made, and this browser saw no command of them',
      'it ended with exit code 1',
      null,
    ];
    const of = (agent: string) =>
      details.map((detail) => {
        const row = { ...FAILED, agent, status: 'agent_error', failure_category: 'agent_error', detail } as const;
        return [failureReason(row), failureSentence(row)];
      });
    expect(of('model')).toEqual([
      ['the surface broke', 'The surface could not be opened: exit code 1.'],
      ['the surface broke', 'The surface broke: socket hang up.'],
      ['the connection to the browser was lost', 'The connection to the browser was lost during a call.'],
      ['the browser ended', expect.stringMatching(/^The browser process ended during the episode, after .* it\.$/)],
      ['nothing of it reached the browser', 'Calls were made, and this browser saw no command of them.'],
      ['the agent ended with an error', 'The agent ended with an error: it ended with exit code 1.'],
      ['the agent ended with an error', 'The agent ended with an error.'],
    ]);
    expect(of('reference').slice(0, 5)).toEqual(of('model').slice(0, 5));
    expect(of('reference')[5]?.[0]).toBe('the solution of the task could not be followed');
  });

  it('is of the task where that was at fault, and begins with what was wrong', () => {
    const sentence = failureSentence({
      ...FAILED,
      status: 'invalid_task',
      detail: 'success is already true at the start',
    });
    expect(sentence).toBe('Success is already true at the start. The task was at fault, and not the entrant.');
  });

  it.each([
    ['provider', 'The provider of the model failed, and not the entrant: no reply.'],
    ['budget', 'The money for all episodes was spent: no reply.'],
    ['infra', 'The infrastructure failed, and not the entrant: no reply.'],
  ] as const)('is of who failed outside: %s', (category, sentence) => {
    const ended = { ...FAILED, status: 'infra_error', failure_category: category, detail: 'no reply' } as const;
    expect(failureSentence(ended)).toBe(sentence);
  });

  it('there is none about a pass', () => {
    expect(failureSentence({ ...FAILED, status: 'passed', failed_contract: null })).toBeNull();
  });
});

describe('the clause beside it', () => {
  it('says what was expected and what was observed', () => {
    expect(decisiveClause(FAILED)).toEqual({
      name: 'success.children[0] (dom_text)',
      expected: 'the text of #notes contains "Call the plumber"',
      observed: 'Old shopping list',
    });
  });

  it.each(['infra_error', 'invalid_task'] as const)('is not there after %s: it would be noise', (status) => {
    expect(decisiveClause({ ...FAILED, status })).toBeNull();
  });
});

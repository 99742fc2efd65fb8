import { describe, expect, it } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { failureOf } from '../../src/report/failure.ts';

type Episode = Parameters<typeof failureOf>[0];

const count = (value: number, selector: string) => fact('element_count', { fresh: false, op: 'eq', value, selector });
const CLAUSE = {
  path: 'success.children.0',
  kind: 'dom_text',
  expected: fact('text_contains', { fresh: false, selector: '#notes', text: 'Call the plumber' }),
  observed: { preview: 'Old shopping list', length: 17 },
};
const FAILED: Episode = {
  agent: 'model',
  status: 'failed',
  stop: 'done',
  failure_category: 'wrong_end_state',
  detail: null,
  why_not: null,
  failed_contract: CLAUSE,
};
const failure = (edit: Partial<Episode> = {}) => failureOf({ ...FAILED, ...edit });
const ofClause = (edit: object, agent = 'model') => failure({ agent, failed_contract: { ...CLAUSE, ...edit } });

describe('a failure', () => {
  it.each([
    [{}, 'The page should show “Call the plumber”, but shows “Old shopping list”.'],
    [{ observed: null }, 'The page has no such element: the text of #notes contains "Call the plumber".'],
    [
      { kind: 'dom_count', expected: count(2, '#notes li'), observed: '3' },
      'The page should have exactly 2 × #notes li, but has 3.',
    ],
    [
      { kind: 'url', expected: fact('url_matches', { pattern: '^https://a' }), observed: 'about:blank' },
      'It should have ended at ^https://a, but ended at about:blank.',
    ],
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
      '/entries/2 should be {"name":"Mia"}, but is missing.',
    ],
    [
      {
        kind: 'app_state',
        expected: fact('state_matches', { place: '/entries/0/name', pattern: '^Mia$' }),
        observed: '"Bob"',
      },
      '/entries/0/name should match ^Mia$, but is "Bob".',
    ],
    [
      { kind: 'app_state', expected: fact('state_absent'), observed: '{"is":"absent"}' },
      'The app state is still there.',
    ],
    [
      {
        kind: 'unchanged',
        expected: fact('state_unchanged', { has_except: true, except: ['/log'] }),
        observed: '/notes',
      },
      'Only /log may change, but /notes changed.',
    ],
    [{ kind: 'unchanged', observed: '/notes' }, 'Nothing may change, but /notes changed.'],
    [{ kind: 'answer', expected: 'the answer is 10', observed: '7' }, 'Expected: the answer is 10; found: “7”.'],
    [{ kind: 'of a later version', observed: null, expected: null }, 'Expected: something else; found: nothing.'],
  ])('of a clause %j: %s', (edit, sentence) => {
    expect(ofClause(edit)?.sentence).toBe(sentence);
  });

  it.each([
    [
      { observed: null },
      'Check the task: at the end of its own solution, the selector of success.children[0] matches nothing (the text of #notes contains "Call the plumber").',
    ],
    [
      { kind: 'dom_count', expected: count(3, '#entries li'), observed: '0' },
      'Check the task: at the end of its own solution, the selector of success.children[0] matches nothing (exactly 3 × #entries li).',
    ],
    [
      { kind: 'dom_count', expected: count(3, '#entries li'), observed: '2' },
      'The page should have exactly 3 × #entries li, but has 2.',
    ],
    [{}, 'The page should show “Call the plumber”, but shows “Old shopping list”.'],
  ])('of a solution with the clause %j: %s', (edit, sentence) => {
    expect(ofClause(edit, 'reference')?.sentence).toBe(sentence);
    expect(ofClause(edit)?.sentence).not.toContain('Check the task');
  });

  it('of a solution has a heading that blames no agent', () => {
    expect(failure({ agent: 'reference' })?.reason).toBe("the task's own solution did not meet its contract");
    expect(failure()?.reason).toBe('reported done, but the goal was not reached');
  });

  it.each([
    ['max_steps', 'the cap of 3 steps', 'It was stopped: the cap of 3 steps.'],
    ['agent_error', 'exit code 1', 'The agent ended with an error: exit code 1.'],
    ['infra_error', 'no page', 'The infrastructure failed, not the entrant: no page.'],
    [
      'invalid_task',
      'success is already true at the start',
      'Success is already true at the start. The task was at fault, not the entrant.',
    ],
  ] as const)('with the status %s names what ended the episode', (status, detail, sentence) => {
    expect(failure({ status, detail })?.sentence).toBe(sentence);
  });

  it.each([
    ['provider', 'The provider of the model failed, not the entrant: no reply.'],
    ['budget', 'The money for all episodes was spent: no reply.'],
    ['infra', 'The infrastructure failed, not the entrant: no reply.'],
  ] as const)('outside the entrant names the %s', (category, sentence) => {
    expect(failure({ status: 'infra_error', failure_category: category, detail: 'no reply' })?.sentence).toBe(sentence);
  });

  it('of a row that never ran has the reason why its steps are null', () => {
    const row = { why_not: null, null_reasons: { steps: 'it is not installed' } };
    expect(failure({ ...row, status: 'unavailable', stop: null })?.sentence).toBe(
      'It was not available: it is not installed.',
    );
    expect(failure({ ...row, status: 'timeout', stop: 'timeout' })?.sentence).toBe('It was stopped.');
  });

  it('of a broken solution begins with the cause', () => {
    const broken = { status: 'agent_error', failure_category: 'agent_error', detail: 'cannot click "Send"' } as const;
    const ofReference = failure({ ...broken, agent: 'reference' });
    expect(ofReference?.sentence).toBe('Cannot click "Send". The solution of the task could not be followed.');
    expect(ofReference?.reason).not.toBe(failure(broken)?.reason);
  });

  it.each([
    ['surface', 'the surface broke'],
    ['browser', 'the browser ended'],
    ['connection', 'the connection to the browser was lost'],
    ['unreached', 'nothing from it reached the browser'],
    [undefined, 'the agent ended with an error'],
  ] as const)('names what broke: %s', (broke, heading) => {
    const row = { status: 'agent_error', failure_category: 'agent_error', detail: 'it is gone' } as const;
    const broken = broke === undefined ? row : { ...row, broke };
    const sentence = broke === undefined ? 'The agent ended with an error: it is gone.' : 'It is gone.';
    expect(failure(broken)).toMatchObject({ reason: heading, sentence });
    const ofReference = broke === undefined ? 'the solution of the task could not be followed' : heading;
    expect(failure({ ...broken, agent: 'reference' })?.reason).toBe(ofReference);
  });

  it('has the clause that decided', () => {
    expect(failure()?.clause).toEqual({
      name: 'success.children[0] (dom_text)',
      expected: 'the text of #notes contains "Call the plumber"',
      observed: 'Old shopping list',
    });
  });

  it.each(['infra_error', 'invalid_task'] as const)('has no clause after %s', (status) => {
    expect(failure({ status })?.clause).toBeNull();
  });

  it('is none of a pass', () => {
    expect(failure({ status: 'passed' })).toBeNull();
  });
});

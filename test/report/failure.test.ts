import { expect, test } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { failureOf } from '../../src/report/failure.ts';
import { textsOf } from '../cli/texts-of.ts';

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

/** The failure of a model, and of the task's own solution if it differs. */
function wordsOf(edit: Partial<Episode>): string[] {
  const of = (agent: string): [words: string, clause: string] => {
    const found = failure({ ...edit, agent });
    return found === null ? ['no failure', ''] : [`${found.reason}. ${found.sentence}`, JSON.stringify(found.clause)];
  };
  const [model, [words]] = [of('model'), of('reference')];
  return [...model, ...(words === model[0] ? [] : [`The solution: ${words}`])];
}

test('the wording of failed clauses', async () => {
  const url = { kind: 'url', expected: fact('url_matches', { pattern: '^https://a' }), observed: 'about:blank' };
  const oneOf = (...texts: string[]) => fact('answer_one_of', { several: texts.length > 1, texts });
  const mia = fact('state_equals', { place: '/entries/2', json: '{"name":"Mia"}' });
  const matching = fact('state_matches', { place: '/entries/0/name', pattern: '^Mia$' });
  const cases: Record<string, object> = {
    'another text': {},
    'no such element': { observed: null },
    'too many elements': { kind: 'dom_count', expected: count(2, '#notes li'), observed: '3' },
    'too few elements': { kind: 'dom_count', expected: count(3, '#entries li'), observed: '2' },
    'no element': { kind: 'dom_count', expected: count(3, '#entries li'), observed: '0' },
    'another address': url,
    'no answer': { kind: 'answer', expected: fact('answer_number', { number: '10' }), observed: null },
    'another answer': { kind: 'answer', expected: oneOf('"A"'), observed: 'B' },
    'none of two answers': { kind: 'answer', expected: oneOf('"A"', '"B"'), observed: 'C' },
    'an answer where none is possible': { kind: 'answer', expected: fact('answer_not_possible'), observed: 'C' },
    'a place without a value': { kind: 'app_state', expected: mia, observed: null },
    'a value that does not match': { kind: 'app_state', expected: matching, observed: '"Bob"' },
    'a state that is still there': { kind: 'app_state', expected: fact('state_absent'), observed: '{"is":"absent"}' },
    'a change beyond the exceptions': {
      kind: 'unchanged',
      expected: fact('state_unchanged', { has_except: true, except: ['/log'] }),
      observed: '/notes',
    },
    'any change': { kind: 'unchanged', observed: '/notes' },
    'words of an earlier version': { kind: 'answer', expected: 'the answer is 10', observed: '7' },
    'a kind of a later version': { kind: 'of a later version', observed: null, expected: null },
  };
  const texts = Object.entries(cases).map(([name, edit]): [string, string[]] => [
    name,
    wordsOf({ failed_contract: { ...CLAUSE, ...edit } }),
  ]);
  await expect(textsOf(Object.fromEntries(texts))).toMatchFileSnapshot('golden/failed-clauses.txt');
});

test('the wording of episodes that ended early or never ran', async () => {
  const broken = { status: 'agent_error', failure_category: 'agent_error', detail: 'it is gone' } as const;
  const outside = { status: 'infra_error', detail: 'no reply' } as const;
  const why = { why_not: null, failure_category: null, null_reasons: { steps: 'it is not installed' } };
  await expect(
    textsOf({
      'a pass': wordsOf({ status: 'passed' }),
      'a cap': wordsOf({ status: 'max_steps', detail: 'the cap of 3 steps' }),
      'an agent that breaks': wordsOf(broken),
      'a surface that breaks': wordsOf({ ...broken, broke: 'surface' }),
      'a browser that breaks': wordsOf({ ...broken, broke: 'browser' }),
      'a connection that breaks': wordsOf({ ...broken, broke: 'connection' }),
      'nothing of the agent is reached': wordsOf({ ...broken, broke: 'unreached' }),
      'a provider that fails': wordsOf({ ...outside, failure_category: 'provider' }),
      'no money is left': wordsOf({ ...outside, failure_category: 'budget' }),
      'infrastructure that fails': wordsOf({ ...outside, failure_category: 'infra' }),
      'a task at fault': wordsOf({
        status: 'invalid_task',
        failure_category: 'infra',
        detail: 'success is already true at the start',
      }),
      'a surface that is not there': wordsOf({ ...why, status: 'unavailable', stop: null }),
      'a timeout without detail': wordsOf({ ...why, status: 'timeout', stop: 'timeout' }),
    }),
  ).toMatchFileSnapshot('golden/early-ends.txt');
});

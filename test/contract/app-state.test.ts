import { describe, expect, it } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { missing, present } from '../../src/contract/evidence.ts';
import type { Json } from '../../src/contract/json.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import type { ContractNode } from '../../src/contract/schema.ts';
import { evidence } from './evidence-sample.ts';

type Fields = Omit<ContractNode<'app_state'>, 'kind'>;

const STATE: Json = { sent: [{ to: 'Ada', n: 1 }], total: 0, draft: null, 'a/b': true };

function judge(fields: Fields, now: Json = STATE): Judgement {
  return evaluate({ kind: 'app_state', ...fields }, evidence({ app_state: present({ start: null, now }) }));
}

describe('equals', () => {
  it.each<[string, Json]>([
    ['/sent/0/to', 'Ada'],
    ['/sent/0', { n: 1, to: 'Ada' }],
    ['/total', 0],
    ['/draft', null],
    ['/a~1b', true],
  ])('%s is %j', (pointer, equals) => {
    expect(judge({ pointer, equals })).toMatchObject({
      verdict: 'pass',
      why: fact('state_compared', { place: pointer, holds: true }),
    });
  });

  it.each<[string, Json]>([
    ['/sent/0/to', 'ada'],
    ['/sent/0/n', '1'],
    ['/sent/0/n', true],
    ['/sent/0', { to: 'Ada' }],
    ['/sent', []],
    ['/total', false],
    ['/total', null],
    ['/draft', 0],
    ['/gone', null],
    ['/sent/length', 1],
    ['/sent/00', { n: 1, to: 'Ada' }],
    ['/constructor', null],
  ])('%s is not %j', (pointer, equals) => {
    expect(judge({ pointer, equals }).verdict).toBe('fail');
  });

  it('reports the expected and the actual value', () => {
    expect(judge({ pointer: '/sent/0', equals: { to: 'Bob' } })).toMatchObject({
      expected: fact('state_equals', { place: '/sent/0', json: '{"to":"Bob"}' }),
      observed: { preview: '{"n":1,"to":"Ada"}', length: 18 },
      why: fact('state_compared', { place: '/sent/0', holds: false }),
    });
    expect(judge({ pointer: '', equals: 1 }, 1).expected).toEqual(fact('state_equals', { json: '1' }));
    expect(judge({ pointer: '/gone', equals: 1 })).toMatchObject({
      observed: null,
      why: fact('state_is_absent', { place: '/gone' }),
    });
  });
});

describe('matches', () => {
  it('finds a pattern in text', () => {
    expect(judge({ pointer: '/sent/0/to', matches: '^A' })).toMatchObject({
      verdict: 'pass',
      expected: fact('state_matches', { place: '/sent/0/to', pattern: '^A' }),
    });
    expect(judge({ pointer: '/sent/0/to', matches: '^B' }).verdict).toBe('fail');
  });

  it.each(['/sent/0/n', '/sent', '/draft', '/gone', '/a~1b'])('matches no other value: %s', (pointer) => {
    expect(judge({ pointer, matches: '.*' }).verdict).toBe('fail');
  });
});

describe('absent', () => {
  it.each(['/gone', '/sent/1', '/sent/0/to/x', '/toString', '/__proto__'])('%s is', (pointer) => {
    expect(judge({ pointer, absent: true })).toMatchObject({
      verdict: 'pass',
      expected: fact('state_absent', { place: pointer }),
      why: fact('state_is_absent', { place: pointer }),
    });
  });

  it('a null is present', () => {
    expect(judge({ pointer: '/draft', absent: true })).toMatchObject({
      verdict: 'fail',
      observed: { preview: 'null' },
      why: fact('state_is_present', { place: '/draft' }),
    });
  });
});

describe('an entry of a list by its key', () => {
  const issues: Json = [{ id: 5, title: 'a' }, { id: '7', title: 'b' }, { id: 8 }, { id: '8' }, 'text', null, ['x']];

  it.each(['/[id=5]', '/[title=a]'])('%s is the one with the key', (entry) => {
    expect(judge({ pointer: `${entry}/title`, equals: 'a' }, issues).verdict).toBe('pass');
    expect(judge({ pointer: `${entry}/title`, equals: 'b' }, issues).verdict).toBe('fail');
  });

  it('does not match another entry, or a number written otherwise', () => {
    for (const key of ['9', '5.0', '05', '', '*']) {
      expect(judge({ pointer: `/[id=${key}]`, absent: true }, issues).verdict).toBe('pass');
    }
    expect(judge({ pointer: '/[id=7]/title', absent: true }, issues).verdict).toBe('fail');
  });

  it.each<Fields>([
    { pointer: '/[id=8]', absent: true },
    { pointer: '/[id=8]/id', equals: 8 },
    { pointer: '/[id=8]/id', matches: '8' },
  ])('decides nothing if two have it: %j', (fields) => {
    expect(judge(fields, issues)).toMatchObject({
      verdict: 'inconclusive',
      why: fact('state_ambiguous', { place: fields.pointer }),
    });
  });
});

describe('missing, long and deep', () => {
  it.each<Fields>([
    { pointer: '/x', equals: null },
    { pointer: '/x', matches: '.' },
    { pointer: '/x', absent: true },
  ])('without the state, %j is inconclusive', (fields) => {
    const on = evidence({ app_state: missing('the app did not answer') });
    expect(evaluate({ kind: 'app_state', ...fields }, on)).toMatchObject({
      verdict: 'inconclusive',
      observed: null,
      why: fact('not_captured', { why: 'the app did not answer' }),
    });
  });

  it('a long value is shown in part', () => {
    expect(judge({ pointer: '', equals: 'x' }, 'y'.repeat(500)).observed).toEqual({
      preview: `"${'y'.repeat(239)}`,
      length: 502,
    });
  });

  it('a value nested 10 000 levels deep is inconclusive, one of 500 is not', () => {
    expect(judge({ pointer: '/0', equals: 1 }, nested(10_000))).toMatchObject({
      verdict: 'inconclusive',
      why: fact('state_too_deep', { place: '/0', levels: 500 }),
    });
    expect(judge({ pointer: '', equals: 1 }, nested(501)).verdict).toBe('inconclusive');
    expect(judge({ pointer: '', equals: 1 }, nested(500)).verdict).toBe('fail');
  });

  it('a place inside a deep state can be judged', () => {
    expect(judge({ pointer: '/0'.repeat(10_000), equals: 1 }, nested(10_000)).verdict).toBe('pass');
  });
});

function nested(levels: number): Json {
  let value: Json = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

import { describe, expect, it } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { Evidence, missing, present } from '../../src/contract/evidence.ts';
import type { Json } from '../../src/contract/json.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import { evidence } from './evidence-sample.ts';

const START: Json = { users: { 7: { name: 'Ada', visits: 1 }, 8: { name: 'Bob', visits: 4 } }, sent: [] };

function judge(now: Json, except?: string[], start: Json = START): Judgement {
  const contract = { kind: 'unchanged', ...(except === undefined ? {} : { except }) } as const;
  return evaluate(contract, evidence({ app_state: present({ start, now }) }));
}

describe('unchanged', () => {
  it('passes when nothing changed', () => {
    expect(judge(structuredClone(START))).toMatchObject({
      verdict: 'pass',
      expected: fact('state_unchanged', { has_except: false, except: [] }),
      observed: null,
      why: fact('nothing_else_changed'),
    });
  });

  it('names every place that changed', () => {
    const now = { users: { 7: { name: 'Eve', visits: 1 } }, sent: [], extra: true };
    expect(judge(now)).toMatchObject({
      verdict: 'fail',
      observed: { preview: '/extra, /users/7/name, /users/8', length: 31 },
      why: fact('places_changed', { count: 3 }),
    });
  });

  it('sees a key that languages treat as special, also in evidence that was read from a file', () => {
    const stored = JSON.stringify(evidence({ app_state: present({ start: {}, now: null }) }));
    const read = Evidence.parse(JSON.parse(stored.replace('"now":null', '"now":{"__proto__":{"role":"admin"}}')));
    expect(evaluate({ kind: 'unchanged' }, read)).toMatchObject({
      verdict: 'fail',
      observed: { preview: '/__proto__' },
    });
  });

  it('names the whole when it is replaced', () => {
    expect(judge(null)).toMatchObject({ verdict: 'fail', observed: { preview: 'the whole state' } });
  });

  it.each<[string, Json]>([
    ['added', { ...START, extra: null }],
    ['removed', { users: START['users'] ?? null }],
    ['retyped', { ...START, sent: {} }],
  ])('sees what was %s', (_, now) => {
    expect(judge(now).verdict).toBe('fail');
  });
});

describe('except', () => {
  const visited = { users: { 7: { name: 'Ada', visits: 2 }, 8: { name: 'Bob', visits: 5 } }, sent: [] };

  it('lets a named place and all below it change', () => {
    expect(judge({ ...START, sent: [{ to: 'Ada' }] }, ['/sent'])).toMatchObject({
      verdict: 'pass',
      expected: fact('state_unchanged', { has_except: true, except: ['/sent'] }),
    });
  });

  it('a star stands for any one segment', () => {
    expect(judge(visited, ['/users/*/visits']).verdict).toBe('pass');
    expect(judge(visited, ['/users/7/visits'])).toMatchObject({
      verdict: 'fail',
      observed: { preview: '/users/8/visits' },
    });
    expect(judge(visited, ['/*/visits']).verdict).toBe('fail');
  });

  it('covers no neighbour', () => {
    const now = { ...visited, sent: ['x'] };
    expect(judge(now, ['/users/*/visits'])).toMatchObject({ verdict: 'fail', observed: { preview: '/sent/0' } });
  });

  it('of entries covers those that come and go, but not that the list itself does', () => {
    expect(judge({ ...START, sent: ['x', 'y'] }, ['/sent/*']).verdict).toBe('pass');
    expect(judge({ ...START, sent: null }, ['/sent/*']).verdict).toBe('fail');
    expect(judge({ users: START['users'] ?? null }, ['/sent/*']).verdict).toBe('fail');
  });

  it('of one field does not let its owner disappear', () => {
    const now = { ...START, users: { 7: { name: 'Ada', visits: 9 } } };
    expect(judge(now, ['/users/*/visits'])).toMatchObject({ verdict: 'fail', observed: { preview: '/users/8' } });
  });
});

describe('missing and deep', () => {
  it('is inconclusive without the state', () => {
    const on = evidence({ app_state: missing('the app did not answer') });
    expect(evaluate({ kind: 'unchanged' }, on)).toMatchObject({
      verdict: 'inconclusive',
      observed: null,
      why: fact('not_captured', { why: 'the app did not answer' }),
    });
  });

  it('compares states nested 10 000 levels deep', () => {
    expect(judge(nested(10_000, 1), undefined, nested(10_000, 1)).verdict).toBe('pass');
    expect(judge(nested(10_000, 2), undefined, nested(10_000, 1))).toMatchObject({
      verdict: 'fail',
      observed: { length: 20_000 },
    });
  });
});

function nested(levels: number, core: Json): Json {
  let value = core;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

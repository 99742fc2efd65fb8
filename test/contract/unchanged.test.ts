import fc from 'fast-check';
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

  it('sees a key that languages treat as special, even in evidence from a file', () => {
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

  it('lets a named place and everything below it change', () => {
    expect(judge({ ...START, sent: [{ to: 'Ada' }] }, ['/sent'])).toMatchObject({
      verdict: 'pass',
      expected: fact('state_unchanged', { has_except: true, except: ['/sent'] }),
    });
  });

  it('a star matches any one segment', () => {
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

  it('covers entries that come and go, but not the loss of the list itself', () => {
    expect(judge({ ...START, sent: ['x', 'y'] }, ['/sent/*']).verdict).toBe('pass');
    expect(judge({ ...START, sent: null }, ['/sent/*']).verdict).toBe('fail');
    expect(judge({ users: START['users'] ?? null }, ['/sent/*']).verdict).toBe('fail');
  });

  it('covers one field, but not the loss of its owner', () => {
    const now = { ...START, users: { 7: { name: 'Ada', visits: 9 } } };
    expect(judge(now, ['/users/*/visits'])).toMatchObject({ verdict: 'fail', observed: { preview: '/users/8' } });
  });
});

describe('an exception by key', () => {
  const ada = { id: 1, title: 'a' };
  const bob = { id: 2, title: 'b' };
  const eve = { id: 3, title: 'c' };
  const start = [ada, bob, eve];

  it.each<[string, Json, string[]]>([
    ['a field', [ada, { ...bob, title: 'x' }, eve], ['/[id=2]/title']],
    ['all of an entry', [ada, { id: 2, other: [] }, eve], ['/[id=2]']],
    ['an entry that goes', [ada, eve], ['/[id=2]']],
    ['an entry that comes', [{ id: 4 }, ada, bob, eve], ['/[id=4]']],
    ['an entry that moves', [bob, ada, eve], ['/[id=2]']],
    [
      'two fields by different keys',
      [ada, { ...bob, title: 'x' }, { ...eve, n: 1 }],
      ['/[id=2]/title', '/[title=c]/n'],
    ],
  ])('lets %s change', (_, now, except) => {
    expect(judge(now, except, start).verdict).toBe('pass');
  });

  it.each<[string, Json, string[], string]>([
    ['another entry', [ada, bob, { ...eve, title: 'x' }], ['/[id=2]'], '/[id=3]/title'],
    ['another field', [ada, { ...bob, n: 1 }, eve], ['/[id=2]/title'], '/[id=2]/n'],
    ['the entry, if only a field is excepted', [ada, eve], ['/[id=2]/title'], '/[id=2]'],
    ['another that goes', [bob, eve], ['/[id=2]'], '/[id=1]'],
    ['another that comes', [ada, bob, eve, { id: 9 }], ['/[id=2]'], '/[id=9]'],
    ['others that move', [eve, bob, ada], ['/[id=2]'], '/0/id, /0/title, /2/id, /2/title'],
    ['its place, if only a field is excepted', [bob, ada, eve], ['/[id=2]/title'], '/0/id, /0/title, /1/id, /1/title'],
    ['an entry that gets its key too', [ada, bob, { ...bob, n: 1 }, eve], ['/[id=2]'], '/1, /2'],
    ['a list that becomes a map', { '[id=1]': ada, '[id=3]': eve }, ['/[id=2]'], 'the whole state'],
  ])('finds %s', (_, now, except, places) => {
    expect(judge(now, except, start)).toMatchObject({ verdict: 'fail', observed: { preview: places } });
  });

  it.each(['a]', 'a=b', '[a=b]', 'a/b', '~1', '__proto__', '*', '0', ' '])('holds any text: %j', (text) => {
    const except = [`/[id=${text.replaceAll('~', '~0').replaceAll('/', '~1')}]/title`];
    const own = (title: string, other: string) => [
      { id: 'x', title: other },
      { id: text, title },
    ];
    expect(judge(own('b', 'c'), except, own('a', 'c')).verdict).toBe('pass');
    expect(judge(own('b', 'd'), except, own('a', 'c'))).toMatchObject({ observed: { preview: '/[id=x]/title' } });
  });

  it.each(['__proto__', 'constructor', 'a]', 'length'])(
    'holds a field of any name, but for inherited ones: %s',
    (field) => {
      const own = (text: string): Json => [JSON.parse(JSON.stringify({ FIELD: 'k', text }).replace('FIELD', field))];
      expect(judge(own('b'), [`/[${field}=k]/text`], own('a')).verdict).toBe('pass');
      expect(judge([{ text: 'b' }], [`/[${field}=k]/text`], [{ text: 'a' }]).verdict).toBe('fail');
    },
  );

  it('is a field of that name in a map', () => {
    expect(judge({ '[id=1]': 2 }, ['/[id=1]'], { '[id=1]': 1 }).verdict).toBe('pass');
    expect(judge({ '[id=1]': 2 }, ['/[id=2]'], { '[id=1]': 1 }).verdict).toBe('fail');
  });

  it('goes on below stars, places and other keys', () => {
    const nest = (title: string): Json => ({ a: [[{ id: 1, tags: [{ k: 'x', title }] }]] });
    expect(judge(nest('b'), ['/*/0/[id=1]/tags/[k=x]/title'], nest('a')).verdict).toBe('pass');
    expect(judge(nest('b'), ['/*/0/[id=1]/tags/[k=y]/title'], nest('a'))).toMatchObject({
      observed: { preview: '/a/0/[id=1]/tags/[k=x]/title' },
    });
  });

  it('covers the rest without its entry on both sides, and nothing else', () => {
    const entry = fc.oneof(
      fc.record({ id: fc.integer({ min: 0, max: 3 }), n: fc.integer({ min: 0, max: 1 }) }),
      fc.integer({ min: 0, max: 1 }),
    );
    const list = fc.array(entry, { maxLength: 5 });
    const isTwo = (each: Json) => typeof each === 'object' && each !== null && !Array.isArray(each) && each['id'] === 2;
    const rest = (all: Json[]) => (all.filter(isTwo).length === 1 ? all.filter((each) => !isTwo(each)) : all);
    fc.assert(
      fc.property(list, list, (before, now) => {
        const isSame = JSON.stringify(rest(before)) === JSON.stringify(rest(now));
        expect(judge(now, ['/[id=2]'], before).verdict).toBe(isSame ? 'pass' : 'fail');
      }),
      { numRuns: 2_000 },
    );
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

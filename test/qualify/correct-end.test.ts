import { describe, expect, it } from 'vitest';
import {
  countDistinct,
  differenceFrom,
  isCorrectEnd,
  leftBy,
  pageNotOpened,
  type TrialEnd,
} from '../../src/qualify/correct-end.ts';
import { type Download, type NetworkEntry, present } from '../../src/contract/evidence.ts';
import type { Json } from '../../src/contract/json.ts';
import { element, evidence, page } from '../contract/evidence-sample.ts';

const OPENED: NetworkEntry = {
  seq: 7,
  method: 'POST',
  url: 'http://shop.test/api/get',
  status: 200,
  request_body: '{"id":"A-1"}',
  request_body_truncated: false,
};

const ALL = { volatile: [], excepted: [], read: [] };

interface End {
  now?: Json;
  url?: string;
  value?: string | null;
  entries?: NetworkEntry[];
}

function end({ now = { sent: 0 }, url = 'http://shop.test/a', value = 'yes', entries = [] }: End = {}): TrialEnd {
  const network = present({ entries, since: { contract_enter: 5, last_tool_call: 9 } });
  const state = present({ start: { sent: 0 }, now });
  return {
    answer: value === null ? null : { value },
    startUrl: 'http://shop.test/start',
    finalUrl: url,
    evidence: evidence({ app_state: state, network }),
  };
}

describe('an end is correct', () => {
  it('with the answer and the app state of the reference, at any address', () => {
    expect(isCorrectEnd(end({ now: { sent: 1 }, url: 'http://b.test/' }), end({ now: { sent: 1 } }), ALL)).toBe(true);
    expect(isCorrectEnd(end({ now: { sent: 2 } }), end({ now: { sent: 1 } }), ALL)).toBe(false);
    expect(isCorrectEnd(end({ now: { sent: 2 } }), end({ now: { sent: 1 } }), { ...ALL, volatile: ['/sent'] })).toBe(
      true,
    );
    expect(isCorrectEnd(end({ now: { sent: 1 }, value: 'no' }), end({ now: { sent: 1 } }), ALL)).toBe(false);
  });

  it('with anything else in the answer, if the reference answers nothing', () => {
    const done = (value: string | null, sent: number) => end({ now: { sent }, value });
    expect(isCorrectEnd(done('done', 1), done(null, 1), ALL)).toBe(true);
    expect(isCorrectEnd(done('done', 2), done(null, 1), ALL)).toBe(false);
    expect(isCorrectEnd(done(null, 1), done('done', 1), ALL)).toBe(false);
  });

  it('at the reference’s address, if the reference changes nothing', () => {
    expect(isCorrectEnd(end(), end(), ALL)).toBe(true);
    expect(isCorrectEnd(end({ url: 'http://b.test/' }), end(), ALL)).toBe(false);
  });

  it('and unknown if the reference leaves nothing to compare', () => {
    const still = (value: string | null, url: string) => end({ value, url });
    const start = 'http://shop.test/start';
    expect(isCorrectEnd(still(null, start), still(null, start), ALL)).toBeNull();
    expect(isCorrectEnd(still('yes', start), still('yes', start), ALL)).toBe(true);
    expect(isCorrectEnd(still(null, 'http://shop.test/a'), still(null, 'http://shop.test/a'), ALL)).toBe(true);
    expect(isCorrectEnd(still(null, 'http://shop.test/a'), still(null, start), ALL)).toBe(false);
  });

  it('or at another, if the app got all requests of the reference in the episode itself', () => {
    const elsewhere = (entries: NetworkEntry[]) => end({ url: 'http://b.test/', entries });
    const right = end({ entries: [OPENED] });
    expect(isCorrectEnd(elsewhere([OPENED]), right, ALL)).toBe(true);
    expect(isCorrectEnd(elsewhere([]), right, ALL)).toBe(false);
    expect(isCorrectEnd(elsewhere([{ ...OPENED, request_body: '{"id":"A-2"}' }]), right, ALL)).toBe(false);
    expect(isCorrectEnd(elsewhere([{ ...OPENED, seq: 4 }]), right, ALL)).toBe(false);
    expect(isCorrectEnd(elsewhere([{ ...OPENED, url: 'http://b.test/api/get' }]), right, ALL)).toBe(false);
  });
});

describe('an end with downloads', () => {
  const file = (name: string): Download => ({
    name,
    url: `blob:http://shop.test/${Math.random()}`,
    state: 'completed',
    bytes: 1,
    sha256: 'a'.repeat(64),
    text: 'a',
    text_truncated: false,
  });
  const start = 'http://shop.test/start';
  const having = (...names: string[]): TrialEnd => ({
    answer: null,
    startUrl: start,
    finalUrl: start,
    evidence: evidence({ downloads: present(names.map(file)) }),
  });

  it.each<[verdict: boolean | null, names: string[]]>([
    [true, ['a.csv']],
    [false, []],
    [false, ['b.csv']],
    [null, ['a.csv', 'a.csv']],
    [null, ['a.csv', 'b.csv']],
  ])('is correct: %s, with %j', (expected, names) => {
    expect(isCorrectEnd(having(...names), having('a.csv'), ALL)).toBe(expected);
  });
});

describe('an end with another value in a field that is judged', () => {
  const start = 'http://shop.test/start';
  const typed = (value: string): TrialEnd => {
    const body = [{ ...element('input'), value, attributes: { id: 'name' } }];
    return { answer: null, startUrl: '/', finalUrl: start, evidence: evidence({ pages: [page({ body })] }) };
  };

  it('is not correct, but is if no clause reads the field', () => {
    expect(isCorrectEnd(typed('Grace'), typed('Ada'), { ...ALL, fields: ['#name'] })).toBe(false);
    expect(isCorrectEnd(typed('Grace'), typed('Ada'), ALL)).toBe(true);
    expect(isCorrectEnd(typed('Ada'), typed('Ada'), { ...ALL, fields: ['#name'] })).toBe(true);
  });

  it('differs, by name and when ends are counted', () => {
    const not = { ...ALL, fields: ['#name'] };
    expect(differenceFrom(typed('Grace'), typed('Ada'), not)).toBe('the value of #name differs');
    expect(countDistinct([typed('Grace'), typed('Ada'), typed('Ada')], not)).toBe(2);
    expect(countDistinct([typed('Grace'), typed('Ada')], ALL)).toBe(1);
  });
});

describe('a correct end is distinguished', () => {
  const NOTHING = { state: false, sent: false, answer: false, address: false };
  const still = { value: null, url: 'http://shop.test/start' };

  it('by nothing, if only its page has changed', () => {
    expect(leftBy(end(still), [])).toEqual(NOTHING);
    expect(leftBy(end({ ...still, now: { sent: 1 } }), ['/sent'])).toEqual(NOTHING);
  });

  it('by state, request, answer or address, each on its own', () => {
    expect(leftBy(end({ ...still, now: { sent: 1 } }), [])).toEqual({ ...NOTHING, state: true });
    expect(leftBy(end({ ...still, entries: [OPENED] }), [])).toEqual({ ...NOTHING, sent: true });
    expect(leftBy(end({ ...still, value: 'yes' }), [])).toEqual({ ...NOTHING, answer: true });
    expect(leftBy(end({ ...still, url: 'http://shop.test/a' }), [])).toEqual({ ...NOTHING, address: true });
  });
});

describe('a value that a guard excepts', () => {
  const at = (updated: string | string[], title = 'Late') => end({ now: { issues: [{ title, updated_at: updated }] } });
  const not = { volatile: [], excepted: ['/issues/*/updated_at'], read: ['/issues/0/title'] };

  it('makes no end incorrect if no clause reads it', () => {
    expect(isCorrectEnd(at('9:02'), at('9:01'), not)).toBe(true);
  });

  it.each([
    ['a clause reads it', at('9:02'), { ...not, read: ['/issues'] }],
    ['no clause reads the state', at('9:02'), { ...not, read: [] }],
    ['the exception is a whole record', at('9:02'), { ...not, excepted: ['/issues/0'] }],
    ['it became a list', at(['9:02']), not],
    ['something else differs', at('9:02', 'Early'), not],
  ])('makes an end incorrect if %s', (_when, own, compared) => {
    expect(isCorrectEnd(own, at('9:01'), compared)).toBe(false);
  });

  it('makes no end incorrect at any place of the entry that its key names', () => {
    const issues = (...ids: number[]) =>
      end({ now: { issues: ids.map((id) => ({ id, title: 'a', updated_at: id })) } });
    const byKey = {
      volatile: ['/issues/[id=1]'],
      excepted: ['/issues/[id=2]/updated_at'],
      read: ['/issues/[id=2]/title'],
    };
    expect(isCorrectEnd(issues(1, 2), issues(2), byKey)).toBe(true);
    expect(isCorrectEnd(issues(2, 3), issues(2), byKey)).toBe(false);
    expect(differenceFrom(issues(2, 3), issues(2), byKey)).toBe('its state differs in /issues/[id=3]');
  });

  it('is named if it makes an end incorrect', () => {
    expect(differenceFrom(at('9:02'), at('9:01'), ALL)).toBe('its state differs in /issues/0/updated_at');
    expect(differenceFrom(at('9:02'), at('9:01'), not)).toBeNull();
    expect(differenceFrom(end({ url: 'http://b.test/' }), end(), ALL)).toBe(
      'it ended at http://b.test/, the solution at http://shop.test/a',
    );
  });
});

describe('a page that was not opened', () => {
  const low = { ...OPENED, method: 'GET', url: 'http://shop.test/low', request_body: null };
  const right = end({ url: low.url, entries: [low] });

  it('is the one at which a solution ends that only reads', () => {
    expect(pageNotOpened(end(), right, ALL)).toEqual({ url: low.url, status: 200 });
    expect(pageNotOpened(right, right, ALL)).toBeNull();
    expect(pageNotOpened(end(), end({ url: low.url }), ALL)).toBeNull();
  });

  it('is not named if the solution leaves something else', () => {
    for (const more of [{ now: { sent: 1 } }, { entries: [low, OPENED] }])
      expect(pageNotOpened(end(), end({ url: low.url, entries: [low], ...more }), ALL)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { isRightEnd, leftBy, type RightEnd } from '../../src/qualify/right-end.ts';
import { type NetworkEntry, present } from '../../src/contract/evidence.ts';
import type { Json } from '../../src/contract/json.ts';
import { evidence } from '../contract/evidence-sample.ts';

const OPENED: NetworkEntry = {
  seq: 7,
  method: 'POST',
  url: 'http://shop.test/api/get',
  status: 200,
  request_body: '{"id":"A-1"}',
  request_body_truncated: false,
};

interface End {
  now?: Json;
  url?: string;
  value?: string | null;
  entries?: NetworkEntry[];
}

function end({ now = { sent: 0 }, url = 'http://shop.test/a', value = 'yes', entries = [] }: End = {}): RightEnd {
  const network = present({ entries, since: { contract_enter: 5, last_tool_call: 9 } });
  const state = present({ start: { sent: 0 }, now });
  return {
    answer: value === null ? null : { value },
    startUrl: 'http://shop.test/start',
    finalUrl: url,
    evidence: evidence({ app_state: state, network }),
  };
}

describe('an end is a right one', () => {
  it('where the answer and the app state are those of the reference, whatever the address', () => {
    expect(isRightEnd(end({ now: { sent: 1 }, url: 'http://b.test/' }), end({ now: { sent: 1 } }), [])).toBe(true);
    expect(isRightEnd(end({ now: { sent: 2 } }), end({ now: { sent: 1 } }), [])).toBe(false);
    expect(isRightEnd(end({ now: { sent: 2 } }), end({ now: { sent: 1 } }), ['/sent'])).toBe(true);
    expect(isRightEnd(end({ now: { sent: 1 }, value: 'no' }), end({ now: { sent: 1 } }), [])).toBe(false);
  });

  it('whatever was said beside it, where the reference answers nothing', () => {
    const done = (value: string | null, sent: number) => end({ now: { sent }, value });
    expect(isRightEnd(done('done', 1), done(null, 1), [])).toBe(true);
    expect(isRightEnd(done('done', 2), done(null, 1), [])).toBe(false);
    expect(isRightEnd(done(null, 1), done('done', 1), [])).toBe(false);
  });

  it('where the reference changes nothing, at its address', () => {
    expect(isRightEnd(end(), end(), [])).toBe(true);
    expect(isRightEnd(end({ url: 'http://b.test/' }), end(), [])).toBe(false);
  });

  it('and nobody knows where it leaves nothing to be told by', () => {
    const still = (value: string | null, url: string) => end({ value, url });
    const start = 'http://shop.test/start';
    expect(isRightEnd(still(null, start), still(null, start), [])).toBeNull();
    expect(isRightEnd(still('yes', start), still('yes', start), [])).toBe(true);
    expect(isRightEnd(still(null, 'http://shop.test/a'), still(null, 'http://shop.test/a'), [])).toBe(true);
    expect(isRightEnd(still(null, 'http://shop.test/a'), still(null, start), [])).toBe(false);
  });

  it('or at another, by who has sent the app all that the reference has, in the episode itself', () => {
    const elsewhere = (entries: NetworkEntry[]) => end({ url: 'http://b.test/', entries });
    const right = end({ entries: [OPENED] });
    expect(isRightEnd(elsewhere([OPENED]), right, [])).toBe(true);
    expect(isRightEnd(elsewhere([]), right, [])).toBe(false);
    expect(isRightEnd(elsewhere([{ ...OPENED, request_body: '{"id":"A-2"}' }]), right, [])).toBe(false);
    expect(isRightEnd(elsewhere([{ ...OPENED, seq: 4 }]), right, [])).toBe(false);
    expect(isRightEnd(elsewhere([{ ...OPENED, url: 'http://b.test/api/get' }]), right, [])).toBe(false);
  });
});

describe('a right end is told from others', () => {
  const NOTHING = { state: false, sent: false, answer: false, address: false };
  const still = { value: null, url: 'http://shop.test/start' };

  it('by nothing, where its page alone has changed', () => {
    expect(leftBy(end(still), [])).toEqual(NOTHING);
    expect(leftBy(end({ ...still, now: { sent: 1 } }), ['/sent'])).toEqual(NOTHING);
  });

  it('by state, request, answer or address, each for itself', () => {
    expect(leftBy(end({ ...still, now: { sent: 1 } }), [])).toEqual({ ...NOTHING, state: true });
    expect(leftBy(end({ ...still, entries: [OPENED] }), [])).toEqual({ ...NOTHING, sent: true });
    expect(leftBy(end({ ...still, value: 'yes' }), [])).toEqual({ ...NOTHING, answer: true });
    expect(leftBy(end({ ...still, url: 'http://shop.test/a' }), [])).toEqual({ ...NOTHING, address: true });
  });
});

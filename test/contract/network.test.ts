import { describe, expect, it } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { missing, type NetworkEntry, present } from '../../src/contract/evidence.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import type { Contract, ContractNode } from '../../src/contract/schema.ts';
import type { Verdict } from '../../src/contract/verdict.ts';
import { evidence } from './evidence-sample.ts';

type Fields = Partial<Omit<ContractNode<'network'>, 'kind'>>;

function entry(seq: number, parts: Partial<NetworkEntry> = {}): NetworkEntry {
  return {
    seq,
    method: 'POST',
    url: 'https://shop.test/send',
    status: 200,
    request_body: null,
    request_body_truncated: false,
    ...parts,
  };
}

function cut(seq: number, parts: Partial<NetworkEntry> = {}): NetworkEntry {
  return entry(seq, { request_body: 'name=Ada', request_body_truncated: true, ...parts });
}

function exchanges(params: { op: string; value: number; statuses: string[]; method?: string; body?: string }) {
  const { body = '' } = params;
  return fact('exchange_count', { url: '/send$', since: 'contract_enter', has_body: body !== '', ...params, body });
}

function judge(fields: Fields, ...entries: NetworkEntry[]): Judgement {
  const since = { contract_enter: 10, last_tool_call: 20 };
  const contract: Contract = {
    kind: 'network',
    url_pattern: '/send$',
    status_in: [200],
    since: 'contract_enter',
    ...fields,
  };
  return evaluate(contract, evidence({ network: present({ entries, since }) }));
}

describe('matching exchanges', () => {
  it('have the URL and the status', () => {
    expect(judge({}, entry(11))).toMatchObject({
      verdict: 'pass',
      expected: exchanges({ op: 'gte', value: 1, statuses: ['200'] }),
      observed: { preview: 'POST https://shop.test/send → 200', length: 33 },
      why: fact('exchanges_counted', { matched: 1, scanned: 1 }),
    });
  });

  it('do not have another URL, and the last exchange is shown', () => {
    const judgement = judge({}, entry(11, { url: 'https://shop.test/a' }), entry(12, { url: 'https://shop.test/b' }));
    expect(judgement).toMatchObject({
      verdict: 'fail',
      observed: { preview: 'POST https://shop.test/b → 200' },
      why: fact('exchanges_counted', { matched: 0, scanned: 2 }),
    });
  });

  it('do not have another status; one of several suffices', () => {
    expect(judge({}, entry(11, { status: 500 })).verdict).toBe('fail');
    expect(judge({ status_in: [200, 500] }, entry(11, { status: 500 })).verdict).toBe('pass');
  });

  it('always have a response', () => {
    expect(judge({}, entry(11, { status: null }))).toMatchObject({
      verdict: 'fail',
      observed: { preview: 'POST https://shop.test/send → no response' },
    });
    expect(judge({ count: { op: 'eq', value: 0 } }, entry(11, { status: null })).verdict).toBe('pass');
  });

  it('have the method, if one is given', () => {
    expect(judge({ method: 'POST' }, entry(11)).verdict).toBe('pass');
    expect(judge({ method: 'PUT' }, entry(11))).toMatchObject({
      verdict: 'fail',
      expected: exchanges({ op: 'gte', value: 1, method: 'PUT', statuses: ['200'] }),
    });
  });
});

describe('since', () => {
  it.each<[ContractNode<'network'>['since'], number, Verdict]>([
    ['contract_enter', 9, 'fail'],
    ['contract_enter', 10, 'pass'],
    ['last_tool_call', 19, 'fail'],
    ['last_tool_call', 20, 'pass'],
  ])('%s with an exchange of seq %i: %s', (since, seq, verdict) => {
    expect(judge({ since }, entry(seq)).verdict).toBe(verdict);
  });

  it('shows nothing of an empty log', () => {
    expect(judge({})).toMatchObject({
      verdict: 'fail',
      observed: null,
      why: fact('exchanges_counted', { matched: 0, scanned: 0 }),
    });
  });
});

describe('count', () => {
  it.each<['eq' | 'gte' | 'lte', number, Verdict]>([
    ['eq', 1, 'fail'],
    ['eq', 2, 'pass'],
    ['eq', 3, 'fail'],
    ['gte', 2, 'pass'],
    ['gte', 3, 'fail'],
    ['lte', 1, 'fail'],
    ['lte', 2, 'pass'],
  ])('%s %i of two: %s', (op, value, verdict) => {
    expect(judge({ count: { op, value } }, entry(11), entry(12), entry(13, { status: 404 })).verdict).toBe(verdict);
  });

  it('is named', () => {
    expect(judge({ count: { op: 'lte', value: 0 }, status_in: [500, 503] }).expected).toEqual(
      exchanges({ op: 'lte', value: 0, statuses: ['500', '503'] }),
    );
  });
});

describe('body_matches', () => {
  it('looks into the body', () => {
    expect(judge({ body_matches: 'name=Ada' }, entry(11, { request_body: 'name=Ada&n=1' }))).toMatchObject({
      verdict: 'pass',
      expected: exchanges({ op: 'gte', value: 1, body: 'name=Ada', statuses: ['200'] }),
    });
    expect(judge({ body_matches: 'name=Ada' }, entry(11, { request_body: 'name=Bob' })).verdict).toBe('fail');
  });

  it('never matches without a body, even if empty text would match', () => {
    expect(judge({ body_matches: '^$' }, entry(11)).verdict).toBe('fail');
    expect(judge({ body_matches: '^$' }, entry(11, { request_body: '' })).verdict).toBe('pass');
  });

  it('is inconclusive about a cut body, even if the cut looks like the end', () => {
    expect(judge({ body_matches: 'Ada$' }, cut(11))).toMatchObject({
      verdict: 'inconclusive',
      why: fact('exchanges_cut', { matched: 0, scanned: 1, unread: 1 }),
    });
    expect(judge({ body_matches: 'Bob' }, cut(11)).verdict).toBe('inconclusive');
  });

  it('ignores a cut body if the contract asks for none', () => {
    expect(judge({}, cut(11)).verdict).toBe('pass');
  });

  it('ignores a cut body of an exchange that cannot match anyway', () => {
    const whole = entry(11, { request_body: 'name=Bob' });
    expect(judge({ body_matches: 'Ada' }, whole, cut(12, { url: 'https://shop.test/upload' })).verdict).toBe('fail');
    expect(judge({ body_matches: 'Ada' }, whole, cut(9)).verdict).toBe('fail');
  });

  it.each<['eq' | 'gte' | 'lte', number, Verdict]>([
    ['gte', 1, 'pass'],
    ['gte', 2, 'inconclusive'],
    ['gte', 3, 'fail'],
    ['lte', 0, 'fail'],
    ['lte', 1, 'inconclusive'],
    ['lte', 2, 'pass'],
    ['eq', 0, 'fail'],
    ['eq', 1, 'inconclusive'],
    ['eq', 2, 'inconclusive'],
    ['eq', 3, 'fail'],
  ])('one match and one cut body, %s %i: %s', (op, value, verdict) => {
    const whole = entry(11, { request_body: 'name=Ada' });
    expect(judge({ body_matches: 'Ada', count: { op, value } }, whole, cut(12)).verdict).toBe(verdict);
  });
});

it('is inconclusive without the log, whatever the count', () => {
  const count = { op: 'gte', value: 0 } as const;
  const contract: Contract = { kind: 'network', url_pattern: '.', status_in: [200], since: 'contract_enter', count };
  const on = evidence({ network: missing('the live web has no log of its own') });
  expect(evaluate(contract, on)).toMatchObject({
    verdict: 'inconclusive',
    observed: null,
    why: fact('not_captured', { why: 'the live web has no log of its own' }),
  });
});

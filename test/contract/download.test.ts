import { describe, expect, it } from 'vitest';
import { evaluate } from '../../src/contract/evaluate.ts';
import { type Download, missing, present } from '../../src/contract/evidence.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import type { ContractNode } from '../../src/contract/schema.ts';
import { validateContract } from '../../src/contract/validation/validate.ts';
import { fact } from '../../src/messages/messages.ts';
import { restsOnDomAlone } from '../../src/verify/claim-facts.ts';
import { evidence } from './evidence-sample.ts';

type Fields = Partial<Omit<ContractNode<'download'>, 'kind'>>;

const SHA = 'a'.repeat(64);

function file(parts: Partial<Download> = {}): Download {
  return {
    name: 'report.csv',
    url: 'https://shop.test/report',
    state: 'completed',
    bytes: 10,
    sha256: SHA,
    text: 'name,total\r\nAda,36\r\n',
    text_truncated: false,
    ...parts,
  };
}

function open(state: Download['state'], parts: Partial<Download> = {}): Download {
  return file({ state, bytes: null, sha256: null, text: null, ...parts });
}

function judge(fields: Fields, ...downloads: Download[]): Judgement {
  return evaluate({ kind: 'download', ...fields }, evidence({ downloads: present(downloads) }));
}

const verdict = (...given: Parameters<typeof judge>) => judge(...given).verdict;

describe('it is inconclusive', () => {
  it('when downloads were not captured, under "not" too', () => {
    const lost = evidence({ downloads: missing('more than 20 downloads have begun') });
    expect(evaluate({ kind: 'download' }, lost)).toMatchObject({
      verdict: 'inconclusive',
      why: fact('not_captured', { why: 'more than 20 downloads have begun' }),
    });
    expect(evaluate({ kind: 'not', child: { kind: 'download' } }, lost).verdict).toBe('inconclusive');
  });

  it('on evidence of a time before there were downloads', () => {
    expect(evaluate({ kind: 'download' }, evidence()).verdict).toBe('inconclusive');
  });

  it.each(['in_progress', 'too_large'] as const)('when a download that may fit is %s', (state) => {
    expect(judge({ sha256: SHA }, open(state))).toMatchObject({
      verdict: 'inconclusive',
      why: fact('downloads_open', { matched: 0, begun: 1, open: 1 }),
    });
    expect(verdict({}, open(state))).toBe('inconclusive');
    expect(verdict({ count: { op: 'eq', value: 0 } }, open(state))).toBe('inconclusive');
    expect(verdict({ name_pattern: '^other' }, open(state))).toBe('fail');
    expect(verdict({}, open(state), file())).toBe('pass');
    expect(verdict({ count: { op: 'eq', value: 1 } }, open(state), file())).toBe('inconclusive');
  });

  it('when the file could not be read, and its content is asked for', () => {
    const unread = open('completed');
    expect(verdict({}, unread)).toBe('pass');
    expect(verdict({ contains: 'Ada' }, unread)).toBe('inconclusive');
    expect(verdict({ bytes: { op: 'gte', value: 1 } }, unread)).toBe('inconclusive');
  });

  it('when the text was cut and the rest decides', () => {
    const cut = file({ text_truncated: true });
    expect(verdict({ contains: 'Ada' }, cut)).toBe('pass');
    expect(verdict({ contains: 'Grace' }, cut)).toBe('inconclusive');
    expect(verdict({ equals: 'name,total Ada,36' }, cut)).toBe('inconclusive');
    expect(verdict({ matches: '^name' }, cut)).toBe('inconclusive');
  });
});

describe('a download fits', () => {
  it('if it is completed', () => {
    expect(judge({}, file())).toMatchObject({
      verdict: 'pass',
      observed: { preview: 'report.csv from https://shop.test/report: completed, 10 bytes: name,total\r\nAda,36\r\n' },
      why: fact('downloads_counted', { matched: 1, begun: 1 }),
    });
    expect(verdict({})).toBe('fail');
    expect(verdict({}, open('canceled'))).toBe('fail');
  });

  it.each<[Fields, Fields]>([
    [{ name_pattern: '^report.csv$' }, { name_pattern: '^port' }],
    [{ url_pattern: '^https://shop.test/' }, { url_pattern: '^/report' }],
    [{ bytes: { op: 'eq', value: 10 } }, { bytes: { op: 'lte', value: 9 } }],
    [{ sha256: SHA }, { sha256: 'b'.repeat(64) }],
    [{ contains: 'total  Ada' }, { contains: 'ada' }],
    [{ equals: 'name,total\nAda,36' }, { equals: 'name,total' }],
    [{ matches: '^name.*36$' }, { matches: '^36' }],
  ])('by %j, and not by %j', (right, wrong) => {
    expect(verdict(right, file())).toBe('pass');
    expect(verdict(wrong, file())).toBe('fail');
  });

  it('by all conditions at once: no two downloads make one', () => {
    const halves = [file({ name: 'other.csv' }), file({ text: 'none' })];
    expect(verdict({ name_pattern: '^report', contains: 'Ada' }, ...halves)).toBe('fail');
  });

  it('by its text only if it is text', () => {
    expect(verdict({ matches: '.' }, file({ text: null }))).toBe('fail');
  });

  it.each(['blob:https://shop.test/1', 'data:text/csv,report'])('by a url_pattern never if its URL is %s', (url) => {
    expect(verdict({ url_pattern: '.' }, file({ url }))).toBe('fail');
    expect(verdict({}, file({ url }))).toBe('pass');
  });

  it('as often as it is counted', () => {
    expect(verdict({ count: { op: 'eq', value: 1 } }, file(), file())).toBe('fail');
    expect(verdict({ count: { op: 'gte', value: 2 } }, file(), file())).toBe('pass');
    expect(verdict({ count: { op: 'lte', value: 0 } })).toBe('pass');
  });
});

it('takes one condition on the text at most, and a hash in its usual form', () => {
  expect(validateContract({ kind: 'download', contains: 'a', equals: 'b' }).ok).toBe(false);
  expect(validateContract({ kind: 'download', sha256: 'A'.repeat(64) }).ok).toBe(false);
  expect(validateContract({ kind: 'download' }).ok).toBe(true);
});

it('is proof only by the address, since a script in the page can make a file of any name and text', () => {
  expect(restsOnDomAlone({ kind: 'download', name_pattern: '^report', sha256: SHA })).toBe(true);
  expect(restsOnDomAlone({ kind: 'download', url_pattern: '/report$' })).toBe(false);
});

import { describe, expect, it } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import { evidence, page } from './evidence-sample.ts';

function judge(pattern: string, url: string | null): Judgement {
  return evaluate({ kind: 'url', pattern }, evidence({ pages: [page({ url })] }));
}

describe('url', () => {
  it('passes if the pattern is found', () => {
    expect(judge('/done', 'https://shop.test/done?id=7')).toMatchObject({
      verdict: 'pass',
      expected: fact('url_matches', { pattern: '/done' }),
      observed: { preview: 'https://shop.test/done?id=7', length: 27 },
      why: fact('url_compared', { matches: true }),
    });
  });

  it('fails if it is not, and shows the URL', () => {
    expect(judge('/done$', 'https://shop.test/done?id=7')).toMatchObject({
      verdict: 'fail',
      observed: { preview: 'https://shop.test/done?id=7' },
      why: fact('url_compared', { matches: false }),
    });
  });

  it('sees the fragment', () => {
    expect(judge(String.raw`#method\.trim$`, 'https://docs.test/str#method.trim').verdict).toBe('pass');
    expect(judge(String.raw`#method\.trim$`, 'https://docs.test/str#methodXtrim').verdict).toBe('fail');
  });

  it('respects case', () => {
    expect(judge('/DONE', 'https://shop.test/done').verdict).toBe('fail');
  });

  it('is inconclusive without the URL', () => {
    expect(judge('.', null)).toMatchObject({
      verdict: 'inconclusive',
      observed: null,
      why: fact('not_captured', { why: 'the tab did not answer' }),
    });
  });

  it('looks at any tab on request', () => {
    const pages = [page(), page({ id: 'page-2', url: 'https://shop.test/done' })];
    expect(evaluate({ kind: 'url', pattern: '/done$' }, evidence({ pages })).verdict).toBe('fail');
    expect(evaluate({ kind: 'url', pattern: '/done$', page: 'any' }, evidence({ pages })).verdict).toBe('pass');
  });

  it('ignores the history: having been there is not being there', () => {
    const pages = [{ ...page(), history: { captured: true as const, value: ['https://shop.test/done'] } }];
    expect(evaluate({ kind: 'url', pattern: '/done$', page: 'any' }, evidence({ pages })).verdict).toBe('fail');
  });
});

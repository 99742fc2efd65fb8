import { describe, expect, it } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { type Evidence, missing } from '../../src/contract/evidence.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import type { Contract } from '../../src/contract/schema.ts';
import { evidence, page } from './evidence-sample.ts';

const SHOP = page({ id: 'page-1', url: 'https://shop.test/cart', body: ['Your cart'] });
const HELP = page({ id: 'page-2', url: 'https://help.test/cart', body: ['Help'] });
const BLIND = page({ id: 'page-3', url: 'https://help.test/blind', dom: missing('a dialog is open') });
const UNKNOWN = page({ id: 'page-4', url: null, body: ['Your cart'] });
const TABS = evidence({ pages: [SHOP, HELP, BLIND], last_active: 'page-2' });

function text(contains: string, scope?: 'last-active' | 'any' | 'match'): Contract {
  return { kind: 'dom_text', contains, ...(scope === undefined ? {} : { page: scope }) };
}

function matched(node: Contract, patterns: readonly string[], on: Evidence = TABS): Judgement | undefined {
  const urls = patterns.map((pattern): Contract => ({ kind: 'url', pattern, page: 'any' }));
  return evaluate({ kind: 'and', children: [node, ...urls] }, on).children[0];
}

describe('last-active, the default', () => {
  it('is the tab that was active last, not the first', () => {
    expect(evaluate(text('Help'), TABS).verdict).toBe('pass');
    expect(evaluate(text('Your cart'), TABS).verdict).toBe('fail');
  });

  it('can be written out', () => {
    expect(evaluate(text('Help', 'last-active'), TABS).verdict).toBe('pass');
  });

  it.each(['last-active', 'any', 'match'] as const)('is inconclusive when no page is open, as %s is', (scope) => {
    const closed = evidence({ pages: [], last_active: null });
    const found = matched(text('Help', scope), ['shop'], closed);
    expect(found).toMatchObject({ verdict: 'inconclusive', why: fact('no_open_page') });
    expect(evaluate({ kind: 'not', child: text('Help', scope) }, closed).verdict).toBe('inconclusive');
  });

  it.each([null, 'page-9'])('is inconclusive when pages are open and the active one is %s', (active) => {
    const lost = { ...TABS, last_active: active };
    expect(evaluate(text('Help'), lost)).toMatchObject({
      verdict: 'inconclusive',
      why: fact('last_active_unknown'),
    });
    expect(evaluate({ kind: 'not', child: text('Help') }, lost).verdict).toBe('inconclusive');
  });
});

describe('any', () => {
  it('one tab that passes suffices, whatever the others are', () => {
    expect(evaluate(text('Your cart', 'any'), TABS)).toMatchObject({
      verdict: 'pass',
      observed: { preview: 'Your cart' },
    });
  });

  it('is inconclusive when none passes and one could not be read', () => {
    expect(evaluate(text('Sent', 'any'), TABS)).toMatchObject({
      verdict: 'inconclusive',
      why: fact('not_captured', { why: 'a dialog is open' }),
    });
  });

  it('fails when all were read and none passes', () => {
    expect(evaluate(text('Sent', 'any'), { ...TABS, pages: [SHOP, HELP] }).verdict).toBe('fail');
  });
});

const NOTHING_SELECTS = {
  code: 'contract_not_valid',
  params: { problem: expect.stringContaining('children.0.page is "match", but has no "url"') },
};

describe('match', () => {
  it('covers the tabs that match the url next to it', () => {
    expect(matched(text('Your cart', 'match'), ['^https://shop'])?.verdict).toBe('pass');
    expect(matched(text('Help', 'match'), ['^https://shop'])?.verdict).toBe('fail');
  });

  it('covers only tabs that match every url next to it', () => {
    expect(matched(text('Help', 'match'), ['/cart$', '^https://help'])?.verdict).toBe('pass');
    expect(matched(text('Your cart', 'match'), ['/cart$', '^https://help'])?.verdict).toBe('fail');
  });

  it('ignores a url deeper in the tree', () => {
    const deeper: Contract = { kind: 'not', child: { kind: 'url', pattern: '^https://shop' } };
    const judgement = evaluate({ kind: 'and', children: [text('Your cart', 'match'), deeper] }, TABS);
    expect(judgement).toMatchObject({ verdict: 'inconclusive', why: NOTHING_SELECTS });
  });

  it('fails when no open tab matches', () => {
    expect(matched(text('Help', 'match'), ['nowhere'])).toMatchObject({
      verdict: 'fail',
      why: fact('no_page_in_scope'),
    });
  });

  it('is inconclusive, instead of covering all tabs, when nothing selects', () => {
    const alone: Contract = { kind: 'and', children: [text('Your cart', 'match')] };
    expect(evaluate(alone, TABS)).toMatchObject({
      verdict: 'inconclusive',
      why: NOTHING_SELECTS,
    });
  });

  it('a tab of unknown URL that would pass makes it inconclusive', () => {
    const on = { ...TABS, pages: [HELP, UNKNOWN] };
    expect(matched(text('Your cart', 'match'), ['/cart$'], on)).toMatchObject({
      verdict: 'inconclusive',
      why: fact('page_url_unknown', { page: 'page-4', why: 'the tab did not answer' }),
    });
  });

  it('a tab of unknown URL that would fail does not matter', () => {
    const on = { ...TABS, pages: [HELP, UNKNOWN] };
    expect(matched(text('Sent', 'match'), ['/cart$'], on)?.verdict).toBe('fail');
  });

  it('a tab of unknown URL does not undo another’s pass', () => {
    const on = { ...TABS, pages: [UNKNOWN, HELP] };
    expect(matched(text('Help', 'match'), ['/cart$'], on)?.verdict).toBe('pass');
  });

  it('counts elements in the same tabs', () => {
    const bodies: Contract = { kind: 'dom_count', selector: 'body', op: 'eq', value: 1, page: 'match' };
    expect(matched(bodies, ['^https://shop'])?.verdict).toBe('pass');
    expect(matched(bodies, ['blind$'])?.verdict).toBe('inconclusive');
  });
});

describe('tabs that were not captured', () => {
  const LOST = evidence({ pages: [], pages_missing: 'more than 100 tabs are open' });

  it.each(['last-active', 'any'] as const)(
    'leave an assertion about %s tabs inconclusive, with the reason',
    (scope) => {
      expect(evaluate({ kind: 'not', child: text('Help', scope) }, LOST).verdict).toBe('inconclusive');
      expect(evaluate(text('Help', scope), LOST)).toMatchObject({
        why: fact('not_captured', { why: 'more than 100 tabs are open' }),
      });
    },
  );
});

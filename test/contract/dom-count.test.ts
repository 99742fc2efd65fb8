import { describe, expect, it } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { missing } from '../../src/contract/evidence.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import type { Verdict } from '../../src/contract/verdict.ts';
import { element, evidence, frameOf, LOST_FRAME, page } from './evidence-sample.ts';

type Op = 'eq' | 'gte' | 'lte';
const TWO_ITEMS = [element('ul', element('li', 'Tea'), element('li', 'Cake'))];

function judge(op: Op, value: number, parts: Parameters<typeof page>[0] = { body: TWO_ITEMS }): Judgement {
  return evaluate({ kind: 'dom_count', selector: 'li', op, value }, evidence({ pages: [page(parts)] }));
}

describe('dom_count of two elements', () => {
  it.each<[Op, number, Verdict]>([
    ['eq', 1, 'fail'],
    ['eq', 2, 'pass'],
    ['eq', 3, 'fail'],
    ['gte', 2, 'pass'],
    ['gte', 3, 'fail'],
    ['lte', 1, 'fail'],
    ['lte', 2, 'pass'],
  ])('%s %i: %s', (op, value, verdict) => {
    expect(judge(op, value).verdict).toBe(verdict);
  });

  it('reports the expected and the actual number', () => {
    expect(judge('gte', 3)).toMatchObject({
      expected: fact('element_count', { fresh: false, op: 'gte', value: 3, selector: 'li' }),
      observed: { preview: '2', length: 1 },
      why: fact('matches_counted', { count: 2 }),
    });
    expect(judge('eq', 2).expected).toEqual(
      fact('element_count', { fresh: false, op: 'eq', value: 2, selector: 'li' }),
    );
    expect(judge('lte', 2).expected).toEqual(
      fact('element_count', { fresh: false, op: 'lte', value: 2, selector: 'li' }),
    );
  });

  it('counts none as zero', () => {
    expect(judge('eq', 0, { body: [] }).verdict).toBe('pass');
  });

  it('is inconclusive while the page loads, unless more elements would change nothing', () => {
    const loading = { body: TWO_ITEMS, loading: true };
    expect(judge('eq', 2, loading).verdict).toBe('inconclusive');
    expect(judge('lte', 2, loading).verdict).toBe('inconclusive');
    expect(judge('gte', 2, loading).verdict).toBe('pass');
    expect(judge('eq', 1, loading).verdict).toBe('fail');
  });

  it('counts in all frames together', () => {
    expect(judge('eq', 3, { body: TWO_ITEMS, frames: [frameOf(element('li', 'Jam'))] }).verdict).toBe('pass');
  });

  it('is inconclusive without the DOM, even when any number would do', () => {
    const judgement = judge('gte', 0, { dom: missing('the page has crashed') });
    expect(judgement).toMatchObject({
      verdict: 'inconclusive',
      observed: null,
      why: fact('not_captured', { why: 'the page has crashed' }),
    });
  });
});

describe('a frame that was not captured may hold more, never fewer', () => {
  it.each<[Op, number, Verdict]>([
    ['gte', 2, 'pass'],
    ['gte', 3, 'inconclusive'],
    ['lte', 1, 'fail'],
    ['lte', 2, 'inconclusive'],
    ['eq', 1, 'fail'],
    ['eq', 2, 'inconclusive'],
    ['eq', 3, 'inconclusive'],
  ])('%s %i: %s', (op, value, verdict) => {
    expect(judge(op, value, { body: TWO_ITEMS, frames: [LOST_FRAME] }).verdict).toBe(verdict);
  });

  it('so does an iframe without its document in the capture', () => {
    expect(judge('lte', 2, { body: [...TWO_ITEMS, element('iframe')] })).toMatchObject({
      verdict: 'inconclusive',
      why: fact('matches_incomplete', { count: 2, why: 'the capture does not hold the document of an <iframe>' }),
    });
  });
});

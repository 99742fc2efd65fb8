import { describe, expect, it } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { evidence, page } from './evidence-sample.ts';

const OPEN = { type: 'confirm', message: 'Delete everything?' } as const;

describe('no_dialog', () => {
  it('passes while no page has a dialog open', () => {
    expect(evaluate({ kind: 'no_dialog' }, evidence())).toMatchObject({
      verdict: 'pass',
      expected: fact('no_open_dialog'),
      observed: null,
    });
  });

  it('fails while one has, and shows it', () => {
    expect(evaluate({ kind: 'no_dialog' }, evidence({ pages: [page({ dialog: OPEN })] }))).toMatchObject({
      verdict: 'fail',
      observed: { preview: 'confirm: Delete everything?' },
      why: fact('page_has_dialog', { page: 'page-1' }),
    });
  });

  it('is inconclusive when no page is open', () => {
    const closed = evidence({ pages: [], last_active: null });
    expect(evaluate({ kind: 'no_dialog' }, closed)).toMatchObject({
      verdict: 'inconclusive',
      why: fact('no_open_page'),
    });
    expect(evaluate({ kind: 'not', child: { kind: 'no_dialog' } }, closed).verdict).toBe('inconclusive');
  });

  it('is inconclusive when the tabs were not captured, with the reason', () => {
    const lost = evidence({ pages: [], pages_missing: 'more than 100 tabs are open' });
    const { verdict, why } = evaluate({ kind: 'no_dialog' }, lost);
    expect({ verdict, why }).toEqual({
      verdict: 'inconclusive',
      why: fact('not_captured', { why: 'more than 100 tabs are open' }),
    });
  });

  it('looks at every tab, not only the active one', () => {
    const pages = [page(), page({ id: 'page-2', dialog: OPEN })];
    expect(evaluate({ kind: 'no_dialog' }, evidence({ pages }))).toMatchObject({
      verdict: 'fail',
      why: fact('page_has_dialog', { page: 'page-2' }),
    });
  });
});

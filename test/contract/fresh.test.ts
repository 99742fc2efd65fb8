import { expect, test } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { missing, present } from '../../src/contract/evidence.ts';
import { asksForFresh, type Contract } from '../../src/contract/schema.ts';
import { validateContract } from '../../src/contract/validation/validate.ts';
import { element, evidence, page } from './evidence-sample.ts';

const HEADING = { kind: 'dom_text', selector: 'h1', contains: 'Done', fresh: true } as const;
const COUNT = { kind: 'dom_count', selector: 'h1', op: 'eq', value: 1, fresh: true } as const;
const DONE = page({ body: [element('h1', 'Done')] });
const OPEN = page({ body: [element('h2', 'Open')] });

test('a fresh assertion is judged on the reloaded page, not on the open one', () => {
  for (const node of [HEADING, COUNT]) {
    expect(evaluate(node, { ...evidence({ pages: [OPEN] }), fresh: present(DONE) }).verdict).toBe('pass');
    expect(evaluate(node, { ...evidence({ pages: [DONE] }), fresh: present(OPEN) }).verdict).toBe('fail');
  }
});

test('the open page is judged without it', () => {
  const { fresh: _fresh, ...plain } = HEADING;
  expect(evaluate(plain, { ...evidence({ pages: [DONE] }), fresh: present(OPEN) }).verdict).toBe('pass');
});

test('a page that was not reloaded makes it and its opposite inconclusive', () => {
  const lost = { ...evidence({ pages: [DONE] }), fresh: missing('it came as the answer to a POST') };
  expect(evaluate(HEADING, lost)).toMatchObject({
    verdict: 'inconclusive',
    why: fact('not_loaded_fresh', { why: 'it came as the answer to a POST' }),
  });
  expect(evaluate({ kind: 'not', child: HEADING }, lost).verdict).toBe('inconclusive');
});

test('one page is reloaded, so there are no others to look at', () => {
  expect(validateContract({ ...HEADING, page: 'any' })).toMatchObject({ ok: false, problems: [{ path: ['page'] }] });
  expect(validateContract(HEADING)).toMatchObject({ ok: true });
});

test('it is an extension', () => {
  expect(validateContract(HEADING, { kinds: 'seed' })).toMatchObject({ ok: false, problems: [{ path: ['fresh'] }] });
});

test('a contract requests it if any assertion in it does', () => {
  const deep: Contract = { kind: 'or', children: [{ kind: 'not', child: COUNT }] };
  expect(asksForFresh(deep)).toBe(true);
  expect(asksForFresh({ kind: 'and', children: [{ kind: 'no_dialog' }] })).toBe(false);
});

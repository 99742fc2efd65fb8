import { describe, expect, it, test } from 'vitest';
import { withoutSecrets } from '../../src/contract/dom/field-value.ts';
import { Snapshot } from '../../src/contract/dom/snapshot.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { missing } from '../../src/contract/evidence.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import { mutantsOf } from '../../src/contract/mutants.ts';
import type { ContractNode } from '../../src/contract/schema.ts';
import { validateContract } from '../../src/contract/validation/validate.ts';
import { fact } from '../../src/messages/messages.ts';
import { restsOnDomAlone } from '../../src/verify/claim-facts.ts';
import { element, evidence, frameOf, LOST_FRAME, page, type SampleNode, snapshotOf } from './evidence-sample.ts';

type Fields = Partial<Omit<ContractNode<'field_value'>, 'kind'>>;

const SELECTOR = '#f';

function field(tag: string, value: string | undefined, attributes: Record<string, string> = {}): SampleNode {
  const own = { ...element(tag), attributes: { id: 'f', ...attributes } };
  return value === undefined ? own : { ...own, value };
}

function option(text: string, selected = false, label?: string): SampleNode {
  return { ...element('option', text), selected, attributes: label === undefined ? {} : { label } };
}

function list(...options: SampleNode[]): SampleNode {
  return { ...element('select', ...options), attributes: { id: 'f' } };
}

function judge(fields: Fields, ...body: SampleNode[]): Judgement {
  return evaluate({ kind: 'field_value', selector: SELECTOR, ...fields }, evidence({ pages: [page({ body })] }));
}

const verdict = (...given: Parameters<typeof judge>) => judge(...given).verdict;

describe('it is inconclusive', () => {
  it('on evidence of a time before values were captured, under "not" too', () => {
    const old = evidence({ pages: [page({ body: [field('input', undefined)] })] });
    const node = { kind: 'field_value', selector: SELECTOR, equals: 'Ada' } as const;
    expect(evaluate(node, old)).toMatchObject({
      verdict: 'inconclusive',
      why: fact('not_captured', { why: 'the values of fields were not recorded' }),
    });
    expect(evaluate({ kind: 'not', child: node }, old).verdict).toBe('inconclusive');
  });

  it.each<[string, Record<string, string>]>([
    ['input', { type: 'password' }],
    ['input', { type: 'PASSWORD' }],
    ['input', { type: 'text', autocomplete: 'current-password' }],
    ['input', { autocomplete: 'section-a NEW-password' }],
    ['input', { autocomplete: 'billing cc-number' }],
    ['textarea', { autocomplete: 'cc-csc' }],
    ['select', { autocomplete: 'cc-exp-month' }],
  ])('about a secret field: %s %j', (tag, attributes) => {
    expect(judge({ equals: '' }, field(tag, '', attributes))).toMatchObject({
      verdict: 'inconclusive',
      why: fact('field_redacted', { selector: SELECTOR }),
    });
  });

  it('when the tab was not captured, or the first match is unknown', () => {
    const node = { kind: 'field_value', selector: SELECTOR, equals: 'Ada' } as const;
    const lost = page({ dom: missing('a dialog is open') });
    expect(evaluate(node, evidence({ pages: [lost] })).verdict).toBe('inconclusive');
    const framed = page({ frames: [LOST_FRAME, frameOf(field('input', 'Ada'))] });
    expect(evaluate(node, evidence({ pages: [framed] })).verdict).toBe('inconclusive');
  });
});

describe('it passes and fails by', () => {
  it.each<[Fields, string, 'pass' | 'fail']>([
    [{ equals: 'Ada' }, 'Ada', 'pass'],
    [{ equals: 'Ada' }, 'Ada ', 'fail'],
    [{ equals: 'Ada' }, 'ada', 'fail'],
    [{ equals: '' }, '', 'pass'],
    [{ equals: '' }, ' ', 'fail'],
    [{ contains: 'da' }, 'Ada', 'pass'],
    [{ contains: 'da ' }, 'Ada', 'fail'],
    [{ matches: '^A.a$' }, 'Ada', 'pass'],
    [{ matches: '^A.a$' }, 'Adas', 'fail'],
  ])('the text of a field: %j, %j', (fields, value, expected) => {
    expect(verdict(fields, field('input', value))).toBe(expected);
    expect(verdict(fields, field('textarea', value))).toBe(expected);
  });

  it('the current value, not the attribute', () => {
    expect(verdict({ equals: 'Ada' }, field('input', 'Grace', { value: 'Ada' }))).toBe('fail');
  });

  it('the options that are chosen in a list, a line each, by their labels', () => {
    const group = element('optgroup', option(' Ada\n'), option('Grace', true));
    expect(judge({ equals: 'Grace' }, list(option('Alan'), group))).toMatchObject({ verdict: 'pass' });
    expect(verdict({ equals: 'Ada' }, list(option('Alan'), group))).toBe('fail');
    expect(verdict({ equals: 'Alan\nGrace' }, list(option('Alan', true), group))).toBe('pass');
    expect(verdict({ equals: '' }, list(option('Alan')))).toBe('pass');
    expect(verdict({ equals: 'Shown' }, list(option('Alan', true, 'Shown')))).toBe('pass');
  });

  it('the first match, in whatever frame', () => {
    const node = { kind: 'field_value', selector: SELECTOR, equals: 'Ada' } as const;
    const framed = page({ frames: [frameOf(field('input', 'Ada'))] });
    expect(evaluate(node, evidence({ pages: [framed] })).verdict).toBe('pass');
    expect(verdict({ equals: 'Ada' }, field('input', 'Grace'), field('input', 'Ada'))).toBe('fail');
  });

  it.each<[string, SampleNode]>([
    ['a box', field('input', 'on', { type: 'checkbox' })],
    ['a radio button', field('input', 'on', { type: 'radio' })],
    ['a paragraph', { ...element('p', 'on'), attributes: { id: 'f' } }],
  ])('failing on %s, which has no text', (_, node) => {
    expect(judge({ equals: 'on' }, node)).toMatchObject({
      verdict: 'fail',
      why: fact('field_absent', { selector: SELECTOR }),
    });
  });

  it('failing where nothing matches', () => {
    expect(judge({ equals: '' })).toMatchObject({
      verdict: 'fail',
      why: fact('nothing_matches', { selector: SELECTOR }),
    });
  });
});

test.each<[fields: object, codes: string[]]>([
  [{}, ['needs_exactly_one']],
  [{ equals: 'a', contains: 'a' }, ['needs_exactly_one']],
  [{ contains: '' }, ['text_empty']],
  [{ equals: 'a', fresh: true, page: 'any' }, ['page_with_fresh']],
  [{ equals: 'a', fresh: true }, []],
  [{ equals: '' }, []],
])('%j is refused for %j', (fields, codes) => {
  const validated = validateContract({ kind: 'field_value', selector: SELECTOR, ...fields });
  expect(validated.ok ? [] : validated.problems.map(({ what }) => what.code)).toEqual(codes);
});

test('a page alone shows it, but not after a fresh load', () => {
  const node = { kind: 'field_value', selector: SELECTOR, equals: 'a' } as const;
  expect(restsOnDomAlone(node)).toBe(true);
  expect(restsOnDomAlone({ ...node, fresh: true })).toBe(false);
});

test.each<[Fields, string[]]>([
  [{ equals: 'Ada' }, ['negate', 'contains']],
  [{ equals: '' }, ['negate']],
  [{ contains: 'Ada' }, ['negate', 'any_value']],
  [{ matches: '^Ada$' }, ['negate', 'unanchored_start', 'unanchored_end']],
  [{ equals: '', fresh: true }, ['negate', 'not_fresh']],
])('%j is loosened to %j', (fields, names) => {
  const mutants = mutantsOf({ success: { kind: 'field_value', selector: SELECTOR, ...fields } });
  expect(mutants.map(({ name }) => name)).toEqual(names.map((name) => `success:${name}`));
});

describe('a snapshot without secrets', () => {
  const SECRET = 'tulip-Harbour';
  const password = field('input', SECRET, { type: 'password', value: `${SECRET}-sent` });

  it('has neither what was typed nor what the page sent, and everything else', () => {
    const kept = withoutSecrets(snapshotOf(password, field('input', 'Ada', { value: 'Grace' }), 'text'));
    expect(JSON.stringify(kept)).not.toContain(SECRET);
    for (const text of ['Ada', 'Grace', 'text', 'password', 'value']) expect(kept.strings).toContain(text);
    expect(Snapshot.safeParse(kept).success).toBe(true);
  });

  it('keeps a text that the page shows elsewhere, too', () => {
    expect(withoutSecrets(snapshotOf(password, element('p', SECRET))).strings).toContain(SECRET);
  });

  it('is the same if there is no secret', () => {
    const snapshot = snapshotOf(field('input', SECRET));
    expect(withoutSecrets(snapshot)).toBe(snapshot);
  });
});

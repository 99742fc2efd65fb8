import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { messageFor } from '../../../src/messages/messages.ts';
import { textsOf } from '../../cli/texts-of.ts';
import { formatPath } from '../../../src/task/source/source.ts';
import { validateContract, type Kinds, checkedBy } from '../../../src/contract/validation/validate.ts';
import type { Contract } from '../../../src/contract/schema.ts';
import { type Parsed, parsePlainly } from '../../../src/contract/validation/problem.ts';

const EVERY_KIND: unknown[] = [
  { kind: 'url', pattern: '/done$', page: 'any' },
  { kind: 'dom_text', contains: 'Sent' },
  { kind: 'dom_text', selector: 'h1', equals: 'Sent', page: 'last-active' },
  { kind: 'dom_text', matches: '(a|aa)+$' },
  { kind: 'dom_count', selector: 'li', op: 'eq', value: 0 },
  { kind: 'network', url_pattern: '/send', status_in: [200, 201], since: 'last_tool_call' },
  {
    kind: 'network',
    url_pattern: '/send',
    status_in: [200],
    since: 'contract_enter',
    method: 'POST',
    count: { op: 'eq', value: 1 },
    body_matches: 'Ada',
  },
  { kind: 'screenshot_class', class_id: 'sent.v2', distance_max: 8 },
  { kind: 'no_dialog' },
  { kind: 'answer', one_of: ['Ada', 'Ada L.'], ignore_case: true },
  { kind: 'answer', number: 330, tolerance: 0.5, unit: 'm' },
  { kind: 'answer', date: '2026-02-28' },
  { kind: 'answer', not_possible: true },
  { kind: 'app_state', pointer: '', equals: null },
  { kind: 'app_state', pointer: '/a~1b/0', matches: '^x' },
  { kind: 'app_state', pointer: '/gone', absent: true },
  { kind: 'unchanged' },
  { kind: 'unchanged', except: ['/sent/*'] },
  { kind: 'not', child: { kind: 'or', children: [{ kind: 'and', children: [{ kind: 'no_dialog' }] }] } },
];

const SEED_CONTRACTS: unknown[] = [
  { kind: 'url', pattern: 'done' },
  { kind: 'dom_text', contains: 'Sent' },
  { kind: 'dom_text', selector: 'h1', contains: 'Sent' },
  { kind: 'dom_count', selector: 'li', op: 'gte', value: 1 },
  { kind: 'network', url_pattern: '/send', status_in: [200], since: 'contract_enter' },
  { kind: 'screenshot_class', class_id: 'sent', distance_max: 0 },
  { kind: 'not', child: { kind: 'no_dialog' } },
];

describe('a sound contract is accepted', () => {
  it.each(EVERY_KIND)('%j', (contract) => {
    expect(validateContract(contract)).toEqual({ ok: true, contract });
  });
});

describe('kinds: seed', () => {
  it.each(SEED_CONTRACTS)('accepts the seed’s kinds: %j', (contract) => {
    expect(validateContract(contract, { kinds: 'seed' })).toEqual({ ok: true, contract });
  });
});

test('problems of contracts', async () => {
  const text = { kind: 'dom_text', contains: 'Sent', page: 'match' };
  const count = { kind: 'dom_count', selector: 'li', op: 'gte', value: 1, page: 'match' };
  const url = { kind: 'url', pattern: '/done$', page: 'any' };
  const extended = {
    kind: 'or',
    children: [
      { kind: 'not', child: { kind: 'url', pattern: '(', page: 'any' } },
      { kind: 'network', url_pattern: '/', status_in: [200], since: 'contract_enter', method: 'GET' },
    ],
  };
  const wrongChildren = {
    kind: 'andd',
    children: [{ kind: 'urll' }, null, { kind: 'not', child: { kind: 'url' } }, { kind: 'no_dialog', why: '' }],
  };
  const matching = (kind: string, ...children: unknown[]) => problems({ kind, children });
  await expect(
    textsOf({
      'an extension where the seed alone is allowed': problems({ kind: 'answer', number: 3 }, 'seed'),
      'a field that is an extension': problems({ kind: 'dom_text', contains: 'Sent', page: 'any' }, 'seed'),
      'the same where all is allowed': problems({ kind: 'dom_text', contains: 'Sent', page: 'any' }),
      'extensions all through the tree, beside another problem': problems(extended, 'seed'),
      'wrong children below a wrong kind': problems(wrongChildren),
      'a field of the wrong type, and two ways to compare': problems({ kind: 'dom_text', contains: 5, equals: 'x' }),
      'an unknown field in the place of a known one': problems({ kind: 'dom_text', contain: 'x' }),
      'a field that is misspelt': problems({ kind: 'url', patern: 'x' }),
      'a field by a name that other kinds have': [
        ...problems({ kind: 'answer', equals: '3' }),
        ...problems({ kind: 'answer', text: 'x', constructor: 1 }),
        ...problems({ kind: 'dom_text', text: 'x' }),
      ],
      'two unknown fields, and a missing one': problems({ kind: 'url', frobnicate: 'x', twiddle: 'x' }),
      'one unknown field, and a missing one': problems({ kind: 'app_state', path: '/guests/0', equals: 'Ann' }),
      'unknown fields near to known ones': problems({ kind: 'url', pattern: 'x', patern: 'x', pages: 'any', far: 1 }),
      'matching pages of a url beside it': [
        ...matching('and', url, text, count),
        ...matching('and', text, url),
        ...problems({ kind: 'not', child: { kind: 'and', children: [url, text] } }),
      ],
      'matching pages alone': [...problems(text), ...problems(count)],
      'matching pages where no url selects': [
        ...matching('or', url, text),
        ...matching('and', { kind: 'no_dialog' }, text),
        ...matching('and', { kind: 'not', child: url }, text),
      ],
      'matching pages one level below the url': matching('and', url, { kind: 'not', child: text }),
      'a url that matches pages': matching('and', url, { ...url, page: 'match' }),
      'a url on a page that there is not': problems({ ...url, page: 'first' }),
      'text that is only white space': [' ', '\u00a0\n', '\u200b'].flatMap((contains) =>
        problems({ kind: 'dom_text', contains }),
      ),
      'text that is empty': problems({ kind: 'dom_text', equals: '' }),
      'a number that is none': problems({ kind: 'dom_count', selector: 'li', op: 'eq', value: Number.NaN }),
      'a value that JSON cannot hold': problems({ kind: 'app_state', pointer: '', equals: () => 1 }),
    }),
  ).toMatchFileSnapshot('golden/problems.txt');
});

describe('an assertion that is always true is refused', () => {
  it('excepting the whole state', () => {
    expect(problems({ kind: 'unchanged', except: ['/sent', ''] })).toEqual([
      'except[1]: excepts the whole state, so it guards nothing; name what may change',
    ]);
  });
});

describe('a hostile tree is answered, whatever its shape', () => {
  it('accepts depth 32 and refuses depth 33', () => {
    expect(problems(nested(31))).toEqual([]);
    expect(problems(nested(32))).toEqual([
      `${Array(32).fill('child').join('.')}: is deeper than 32 assertions; flatten nested "and" and "or"`,
    ]);
  });

  it('refuses depth 100 000 without a stack overflow', () => {
    expect(problems(nested(100_000))).toHaveLength(1);
  });

  it('accepts 256 assertions and refuses 257', () => {
    expect(problems(wide(255))).toEqual([]);
    expect(problems(wide(256))).toEqual([': has more than 256 assertions; split the task or drop some']);
  });

  it('refuses an assertion that contains itself', () => {
    const contract: { kind: string; children: unknown[] } = { kind: 'and', children: [] };
    contract.children.push({ kind: 'no_dialog' }, contract);
    expect(problems(contract)).toEqual(['children[1]: contains itself; write the assertion out where it is needed']);
  });

  it('accepts one assertion in two places', () => {
    const shared = { kind: 'no_dialog' };
    expect(problems({ kind: 'and', children: [shared, shared] })).toEqual([]);
  });

  it('refuses an expected value that contains itself', () => {
    const equals: unknown[] = [];
    equals.push(equals);
    expect(problems({ kind: 'app_state', pointer: '', equals })).toEqual([
      'equals: is nested deeper than 64 levels, or contains itself; flatten it',
    ]);
  });

  it('refuses an expected value that shared references fan out', () => {
    let equals: unknown = 1;
    for (let level = 0; level < 40; level += 1) equals = [equals, equals];
    expect(problems({ kind: 'app_state', pointer: '', equals })).toEqual([
      'equals: has more than 20000 values; make it smaller',
    ]);
  });

  it('does not take a name that every object inherits for a kind', () => {
    expect(problems({ kind: 'constructor' })[0]).toMatch(/^kind: "constructor" is not a kind of assertion/);
  });

  it.each([undefined, null, 'url', 7, [], () => 1])('refuses a value that is no assertion: %s', (input) => {
    expect(problems(input)).toHaveLength(1);
  });
});

/** One line a problem: the path, a colon, the message. */
function problems(input: unknown, kinds: Kinds = 'all'): string[] {
  const result = validateContract(input, { kinds });
  return result.ok ? [] : result.problems.map(({ path, what }) => `${formatPath(path)}: ${messageFor(what)}`);
}

function nested(levels: number): unknown {
  let contract: unknown = { kind: 'no_dialog' };
  for (let level = 0; level < levels; level += 1) contract = { kind: 'not', child: contract };
  return contract;
}

function wide(children: number): unknown {
  return { kind: 'or', children: Array.from({ length: children }, () => ({ kind: 'no_dialog' })) };
}

const File = z.strictObject({ contracts: z.array(z.strictObject({ success: checkedBy(contractIn) })) });

function contractIn(input: unknown): Parsed<Contract> {
  const result = validateContract(input);
  return result.ok ? { ok: true, value: result.contract } : result;
}

it('takes the validator’s result', () => {
  const file = { contracts: [{ success: { kind: 'no_dialog' } }] };
  expect(File.parse(file)).toEqual(file);
});

it('reports every problem of the validator at its place in the file', () => {
  const success = { kind: 'and', children: [{ kind: 'dom_text' }, { kind: 'url', pattern: '(' }] };
  const parsed = parsePlainly(File, { contracts: [{ success }] });
  expect(parsed.ok ? [] : parsed.problems.map(({ path }) => path.join('.'))).toEqual([
    'contracts.0.success.children.0',
    'contracts.0.success.children.1.pattern',
  ]);
});

it('a missing value is a problem, not an absent field', () => {
  expect(parsePlainly(File, { contracts: [{}] })).toMatchObject({
    ok: false,
    problems: [{ path: ['contracts', 0, 'success'], what: { code: 'field_missing' } }],
  });
});

it('a contract of 20 000 levels in a file is refused and ends nothing', () => {
  const text = `${'{"kind":"not","child":'.repeat(20_000)}{"kind":"no_dialog"}${'}'.repeat(20_000)}`;
  const parsed = parsePlainly(File, { contracts: [{ success: JSON.parse(text) }] });
  expect(parsed).toMatchObject({ problems: [{ what: { code: 'assertions_too_deep' } }] });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { messageFor } from '../../../src/messages/messages.ts';
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
  it.each(SEED_CONTRACTS)('accepts what the seed knows: %j', (contract) => {
    expect(validateContract(contract, { kinds: 'seed' })).toEqual({ ok: true, contract });
  });

  it('refuses an extension kind and lists the kinds of the seed', () => {
    expect(problems({ kind: 'answer', number: 3 }, 'seed')).toEqual([
      'kind: "answer" is an extension, which "kinds: seed" refuses; use one of url, dom_text, dom_count, network, screenshot_class, no_dialog, and, or, not',
    ]);
  });

  it('refuses an extension field and lists the fields of the seed', () => {
    const contract = { kind: 'dom_text', contains: 'Sent', page: 'any' };
    expect(problems(contract, 'seed')).toEqual([
      'page: is an extension, which "kinds: seed" refuses; allowed: kind, selector, contains',
    ]);
    expect(problems(contract, 'all')).toEqual([]);
  });

  it('looks for extensions all through the tree, beside other problems', () => {
    const contract = {
      kind: 'or',
      children: [
        { kind: 'not', child: { kind: 'url', pattern: '(', page: 'any' } },
        { kind: 'network', url_pattern: '/', status_in: [200], since: 'contract_enter', method: 'GET' },
      ],
    };
    expect(problems(contract, 'seed').map((line) => line.split(':')[0])).toEqual([
      'children[0].child.pattern',
      'children[0].child.page',
      'children[1].method',
    ]);
  });
});

describe('one problem never hides another', () => {
  it('a wrong child does not hide its siblings, nor what stands below it', () => {
    const contract = {
      kind: 'andd',
      children: [{ kind: 'urll' }, null, { kind: 'not', child: { kind: 'url' } }, { kind: 'no_dialog', why: '' }],
    };
    expect(problems(contract).map((line) => line.split(':')[0])).toEqual([
      'children[1]',
      'kind',
      'children[0].kind',
      'children[2].child.pattern',
      'children[3].why',
    ]);
  });

  it('a field of the wrong type does not hide that a node has two ways to compare', () => {
    expect(problems({ kind: 'dom_text', contains: 5, equals: 'x' })).toEqual([
      'contains: must be text, not 5; put it in quotes',
      ': needs exactly one of contains, equals, matches; it has contains, equals',
    ]);
  });

  it('an unknown field does not hide that the known one is missing', () => {
    expect(problems({ kind: 'dom_text', contain: 'x' })).toEqual([
      'contain: unknown field; did you mean "contains"?',
      ': needs exactly one of contains, equals, matches; it has none',
    ]);
  });

  it('a field that is missing since its name was misspelt is told of once, and one that is missing otherwise as well', () => {
    const allowed = 'allowed: kind, pattern, page';
    expect(problems({ kind: 'url', patern: 'x' })).toEqual([`patern: unknown field; did you mean "pattern"?`]);
    expect(problems({ kind: 'url', frobnicate: 'x', twiddle: 'x' })).toEqual([
      'pattern: is missing; give text',
      `frobnicate: unknown field; ${allowed}`,
      `twiddle: unknown field; ${allowed}`,
    ]);
  });

  it('the only unknown field where one other is missing is taken for that', () => {
    expect(problems({ kind: 'app_state', path: '/guests/0', equals: 'Ann' })).toEqual([
      'path: unknown field; did you mean "pointer"? It is missing; give text',
    ]);
  });

  it('each unknown field names the one that was meant by it, if one is near', () => {
    const allowed = 'allowed: kind, pattern, page';
    expect(problems({ kind: 'url', pattern: 'x', patern: 'x', pages: 'any', frobnicate: 1 })).toEqual([
      `patern: unknown field; did you mean "pattern"?`,
      `pages: unknown field; did you mean "page"?`,
      `frobnicate: unknown field; ${allowed}`,
    ]);
  });
});

describe('page: match needs a url that selects the pages', () => {
  const text = { kind: 'dom_text', contains: 'Sent', page: 'match' };
  const count = { kind: 'dom_count', selector: 'li', op: 'gte', value: 1, page: 'match' };
  const url = { kind: 'url', pattern: '/done$', page: 'any' };
  const message = 'page: is "match", but there is no "url" next to it under the same "and"; add one, or write "any"';

  it.each([
    { kind: 'and', children: [url, text, count] },
    { kind: 'and', children: [text, url] },
    { kind: 'not', child: { kind: 'and', children: [url, text] } },
  ])('accepts it beside a url under the same and: %j', (contract) => {
    expect(problems(contract)).toEqual([]);
  });

  it('refuses it alone', () => {
    expect(problems(text)).toEqual([message]);
    expect(problems(count)).toEqual([message]);
  });

  it.each([
    { kind: 'or', children: [url, text] },
    { kind: 'and', children: [{ kind: 'no_dialog' }, text] },
    { kind: 'and', children: [{ kind: 'not', child: url }, text] },
  ])('refuses it where no url selects: %j', (contract) => {
    expect(problems(contract)).toEqual([`children[1].${message}`]);
  });

  it('refuses it one level below the and that has the url', () => {
    expect(problems({ kind: 'and', children: [url, { kind: 'not', child: text }] })).toEqual([
      `children[1].child.${message}`,
    ]);
  });

  it('refuses it on a url, which is its own selector', () => {
    expect(problems({ kind: 'and', children: [url, { ...url, page: 'match' }] })).toEqual([
      'children[1].page: is "match", but a "url" selects pages by its own pattern; write "any"',
    ]);
  });

  it('names the choices when a url has another page', () => {
    expect(problems({ ...url, page: 'first' })).toEqual(['page: must be one of "last-active", "any", not "first"']);
  });
});

describe('an assertion that would hold of everything is refused', () => {
  it.each([' ', '\u00a0\n', '\u200b'])('text that is only white space: %j', (contains) => {
    expect(problems({ kind: 'dom_text', contains })).toEqual(['contains: is only white space: it is found everywhere']);
  });

  it('text that is empty, once', () => {
    expect(problems({ kind: 'dom_text', equals: '' })).toEqual(['equals: is empty: empty text is found everywhere']);
  });

  it('an exception that excepts the whole state', () => {
    expect(problems({ kind: 'unchanged', except: ['/sent', ''] })).toEqual([
      'except[1]: excepts the whole state, so nothing is guarded; name what may change',
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

  it('accepts one assertion that stands in two places', () => {
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
      'equals: holds more than 20000 values; make it smaller',
    ]);
  });

  it('does not take a name that every object inherits for a kind', () => {
    expect(problems({ kind: 'constructor' })[0]).toMatch(/^kind: "constructor" is not a kind of assertion/);
  });

  it.each([undefined, null, 'url', 7, [], () => 1])('refuses what is no assertion at all: %s', (input) => {
    expect(problems(input)).toHaveLength(1);
  });
});

describe('values that only code can give are refused in plain words', () => {
  it('a number that is none', () => {
    expect(problems({ kind: 'dom_count', selector: 'li', op: 'eq', value: Number.NaN })).toEqual([
      'value: must be a number, not NaN',
    ]);
  });

  it('an expected value that JSON cannot hold', () => {
    expect(problems({ kind: 'app_state', pointer: '', equals: () => 1 })).toEqual([
      'equals: must be JSON (text, a number, true, false, null, a list or a map), not a function',
    ]);
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

it('takes what the validator returns', () => {
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fact } from '../../src/messages/messages.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { type Evidence, missing, present } from '../../src/contract/evidence.ts';
import type { Contract } from '../../src/contract/schema.ts';
import { validateContract } from '../../src/contract/validation/validate.ts';
import type { Verdict } from '../../src/contract/verdict.ts';
import { element, evidence, page, snapshotOf } from './evidence-sample.ts';

// No dialog, no answer and no app give a leaf of every verdict, without a pattern to compile for each of many trees.
const EVIDENCE = evidence({ pages: [page({ url: 'https://shop.test/done' })] });
const LEAVES: Record<Verdict, Contract> = {
  pass: { kind: 'no_dialog' },
  fail: { kind: 'answer', not_possible: true },
  inconclusive: { kind: 'app_state', pointer: '/sent', equals: true },
};

/** A random tree; `decided` limits the leaves that it may have. */
function trees(leaves: readonly Verdict[]): fc.Arbitrary<Contract> {
  const leaf = fc.constantFrom(...leaves.map((verdict) => LEAVES[verdict]));
  const { node } = fc.letrec<{ node: Contract }>((tie) => ({
    node: fc.oneof(
      // Never so large that validation refuses the tree, or what a law makes of it.
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.array(tie('node'), { minLength: 1, maxLength: 4 }).map((children): Contract => ({ kind: 'and', children })),
      fc.array(tie('node'), { minLength: 1, maxLength: 4 }).map((children): Contract => ({ kind: 'or', children })),
      tie('node').map((child): Contract => ({ kind: 'not', child })),
    ),
  }));
  return node;
}

const TREE = trees(['pass', 'fail', 'inconclusive']);
const SOME_TREES = fc.array(TREE, { minLength: 1, maxLength: 5 });

function verdictOf(contract: Contract, on: Evidence = EVIDENCE): Verdict {
  return evaluate(contract, on).verdict;
}

function not(child: Contract): Contract {
  return { kind: 'not', child };
}

function and(...children: Contract[]): Contract {
  return { kind: 'and', children };
}

function or(...children: Contract[]): Contract {
  return { kind: 'or', children };
}

describe('the laws of Kleene hold for every tree', () => {
  it('the leaves of these tests have the verdict in their names', () => {
    expect(verdictOf(LEAVES.pass)).toBe('pass');
    expect(verdictOf(LEAVES.fail)).toBe('fail');
    expect(verdictOf(LEAVES.inconclusive)).toBe('inconclusive');
  });

  it('a double negation changes nothing', () => {
    fc.assert(
      fc.property(TREE, (a) => {
        expect(verdictOf(not(not(a)))).toBe(verdictOf(a));
      }),
    );
  });

  it('De Morgan: not all is any not, and not any is all not', () => {
    fc.assert(
      fc.property(SOME_TREES, (parts) => {
        expect(verdictOf(not(and(...parts)))).toBe(verdictOf(or(...parts.map(not))));
        expect(verdictOf(not(or(...parts)))).toBe(verdictOf(and(...parts.map(not))));
      }),
    );
  });

  it('an assertion and itself, or an assertion or itself, is the assertion', () => {
    fc.assert(
      fc.property(TREE, (a) => {
        expect(verdictOf(and(a, a))).toBe(verdictOf(a));
        expect(verdictOf(or(a, a))).toBe(verdictOf(a));
      }),
    );
  });

  it('the order of children does not matter', () => {
    const shuffled = SOME_TREES.chain((parts) =>
      fc.tuple(fc.constant(parts), fc.shuffledSubarray(parts, { minLength: parts.length })),
    );
    fc.assert(
      fc.property(shuffled, ([parts, others]) => {
        expect(verdictOf(and(...others))).toBe(verdictOf(and(...parts)));
        expect(verdictOf(or(...others))).toBe(verdictOf(or(...parts)));
      }),
    );
  });

  it('and distributes over or', () => {
    fc.assert(
      fc.property(TREE, TREE, TREE, (a, b, c) => {
        expect(verdictOf(and(a, or(b, c)))).toBe(verdictOf(or(and(a, b), and(a, c))));
      }),
    );
  });

  it('a tree whose every leaf is inconclusive is inconclusive, whatever its shape', () => {
    fc.assert(
      fc.property(trees(['inconclusive']), (tree) => {
        expect(verdictOf(tree)).toBe('inconclusive');
      }),
    );
  });

  it('a tree without an inconclusive leaf is never inconclusive', () => {
    fc.assert(
      fc.property(trees(['pass', 'fail']), (tree) => {
        expect(verdictOf(tree)).not.toBe('inconclusive');
      }),
    );
  });

  it('learning an unknown never changes a decided verdict', () => {
    const known = fc.array(fc.constantFrom<Verdict>('pass', 'fail'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(TREE, known, (tree, answers) => {
        const before = verdictOf(tree);
        const after = verdictOf(resolved(tree, answers));
        expect(before === 'inconclusive' ? ['pass', 'fail'] : [before]).toContain(after);
      }),
    );
  });
});

function resolved(tree: Contract, answers: readonly Verdict[]): Contract {
  let next = 0;
  const visit = (node: Contract): Contract => {
    if (node.kind === 'and' || node.kind === 'or') return { ...node, children: node.children.map(visit) };
    if (node.kind === 'not') return not(visit(node.child));
    if (node !== LEAVES.inconclusive) return node;
    next += 1;
    return LEAVES[answers[next % answers.length] ?? 'pass'];
  };
  return visit(tree);
}

/** Contracts that their type allows and that compare with nothing, or with two things at once. */
const NO_COMPARISON: Contract[] = [
  { kind: 'dom_text' },
  { kind: 'dom_text', selector: 'h1' },
  { kind: 'dom_text', contains: '' },
  { kind: 'dom_text', contains: ' \u200B' },
  { kind: 'dom_text', equals: 'Sent', contains: 'Never said' },
  { kind: 'app_state', pointer: '/sent' },
  { kind: 'app_state', pointer: '/draft' },
  { kind: 'app_state', pointer: '/sent', equals: true, matches: 'x' },
  { kind: 'answer' },
  { kind: 'answer', one_of: [] },
  { kind: 'answer', unit: 'm' },
  { kind: 'url', pattern: '' },
  { kind: 'network', url_pattern: '.', status_in: [], since: 'contract_enter', count: { op: 'eq', value: 0 } },
  { kind: 'unchanged', except: [''] },
];

/** Complete evidence, so that only the contract can make a judgement inconclusive. */
const WHOLE = evidence({
  pages: [page({ url: 'https://shop.test/done', body: [element('h1', 'Sent')] })],
  app_state: present({ start: { sent: true, draft: null }, now: { sent: true, draft: null } }),
  answer: { value: 330 },
});

describe('a failure inside an assertion is inconclusive, and stays so under not', () => {
  const malformed = { ...snapshotOf('Sent'), strings: [] };
  const CASES: { name: string; contract: Contract; on: Evidence }[] = [
    {
      name: 'a snapshot that is not what the browser promises',
      contract: { kind: 'dom_text', contains: 'Sent' },
      on: evidence({ pages: [page({ dom: present({ main: malformed, remote_frames: [], loading: false }) })] }),
    },
    {
      name: 'a snapshot that cannot be counted in',
      contract: { kind: 'dom_count', selector: 'p', op: 'eq', value: 0 },
      on: evidence({ pages: [page({ dom: present({ main: malformed, remote_frames: [], loading: false }) })] }),
    },
    {
      name: 'a picture that is none',
      contract: { kind: 'screenshot_class', class_id: 'done', distance_max: 64 },
      on: evidence({ screenshot: present({ media_type: 'image/png', base64: 'bm90IGEgcGljdHVyZQ==' }) }),
    },
    { name: 'a pattern that validation would refuse', contract: { kind: 'url', pattern: '(?=a)' }, on: EVIDENCE },
    {
      name: 'a selector that validation would refuse',
      contract: { kind: 'dom_count', selector: 'p[', op: 'gte', value: 0 },
      on: EVIDENCE,
    },
    { name: 'an empty list of children', contract: { kind: 'and', children: [] }, on: EVIDENCE },
    ...NO_COMPARISON.map((contract) => ({ name: JSON.stringify(contract), contract, on: WHOLE })),
  ];

  it.each(CASES)('$name', ({ contract, on }) => {
    const options = { screenshotClasses: { done: ['0000000000000000'] } };
    expect(evaluate(contract, on, options).verdict).toBe('inconclusive');
    expect(evaluate(not(contract), on, options).verdict).toBe('inconclusive');
  });

  it('the judgement gives the failure', () => {
    expect(evaluate({ kind: 'url', pattern: '(?=a)' }, EVIDENCE)).toMatchObject({
      kind: 'contract',
      why: {
        code: 'contract_not_valid',
        params: { problem: expect.stringMatching(/^pattern is not a pattern .*\(\?=/) },
      },
    });
  });

  it('one invalid assertion makes the whole inconclusive, even next to one that fails', () => {
    const judgement = evaluate(and(LEAVES.fail, { kind: 'dom_text' }, { kind: 'url', pattern: '' }), EVIDENCE);
    expect(judgement).toMatchObject({
      verdict: 'inconclusive',
      path: '',
      children: [],
      why: fact('contract_not_valid', {
        problem: 'children.1 needs exactly one of contains, equals, matches; it has none',
        more: 1,
      }),
    });
  });

  it('an unknown kind, which only unvalidated data can have, is inconclusive', () => {
    const contract: Contract = JSON.parse('{ "kind": "url", "pattern": "/" }');
    Reflect.set(contract, 'kind', 'telepathy');
    expect(verdictOf(contract)).toBe('inconclusive');
    expect(verdictOf(and(LEAVES.pass, contract))).toBe('inconclusive');
  });
});

describe('no contract ends the process, however it is built', () => {
  const nested = (levels: number): Contract => {
    let contract = LEAVES.fail;
    for (let level = 0; level < levels; level += 1) contract = not(contract);
    return contract;
  };

  it('the deepest valid contract is judged', () => {
    expect(verdictOf(nested(31))).toBe('pass');
    expect(verdictOf(nested(30))).toBe('fail');
  });

  it.each([32, 20_000])('%i nots around an assertion', (levels) => {
    expect(evaluate(nested(levels), EVIDENCE)).toMatchObject({
      verdict: 'inconclusive',
      why: { params: { problem: expect.stringContaining('is deeper than 32 assertions') } },
    });
  });

  it('a tree that contains itself', () => {
    const contract = { kind: 'not', child: LEAVES.fail } satisfies Contract;
    Reflect.set(contract, 'child', contract);
    expect(verdictOf(contract)).toBe('inconclusive');
  });

  it('an expected value of any depth', () => {
    const equals = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    expect(verdictOf({ kind: 'app_state', pointer: '/sent', equals }, WHOLE)).toBe('inconclusive');
  });

  it.each([null, undefined, 'url', 7, []])('a value that is no contract: %j', (value) => {
    const holder: { contract: Contract } = { contract: LEAVES.pass };
    Reflect.set(holder, 'contract', value);
    expect(verdictOf(holder.contract)).toBe('inconclusive');
  });
});

describe('a judgement shows the whole tree', () => {
  const judgement = evaluate(and(LEAVES.fail, not(or(LEAVES.pass, LEAVES.inconclusive))), EVIDENCE);

  it('every node is judged, even after the verdict is decided', () => {
    expect(judgement).toMatchObject({
      verdict: 'fail',
      children: [{ verdict: 'fail' }, { verdict: 'fail', children: [{ children: [{}, { verdict: 'inconclusive' }] }] }],
    });
  });

  it('every node names its path from the root', () => {
    expect(judgement.path).toBe('');
    expect(judgement.children[1]?.children[0]?.children[1]).toMatchObject({
      path: 'children.1.child.children.1',
      kind: 'app_state',
    });
  });

  it('branches report their expectation and state', () => {
    expect(judgement).toMatchObject({
      expected: fact('every_child_passes'),
      observed: null,
      why: fact('children_passing', { passed: 0, total: 2 }),
    });
    expect(judgement.children[1]).toMatchObject({
      expected: fact('child_fails'),
      why: fact('child_verdict', { verdict: 'pass' }),
    });
    expect(judgement.children[1]?.children[0]).toMatchObject({
      expected: fact('one_child_passes'),
      why: fact('children_passing', { passed: 1, total: 2 }),
    });
  });

  it('the same contract and evidence give the same judgement, and neither is touched', () => {
    const contract = and(LEAVES.fail, { kind: 'dom_text', contains: 'Sent' });
    const before = JSON.stringify([contract, EVIDENCE]);
    expect(evaluate(contract, EVIDENCE)).toEqual(evaluate(contract, EVIDENCE));
    expect(JSON.stringify([contract, EVIDENCE])).toBe(before);
  });
});

describe("contracts in OpenChrome's shapes run unchanged", () => {
  const on = evidence({
    pages: [
      page({
        url: 'https://en.wikipedia.org/wiki/Eiffel_Tower',
        body: [element('h1', 'Eiffel Tower'), element('p', 'It is 330 m tall.'), element('p', 'It is in Paris.')],
      }),
    ],
    network: present({
      entries: [
        {
          seq: 3,
          method: 'GET',
          url: 'https://en.wikipedia.org/w/api.php?q=1',
          status: 200,
          request_body: null,
          request_body_truncated: false,
        },
      ],
      since: { contract_enter: 1, last_tool_call: 4 },
    }),
  });
  const CASES: [Verdict, unknown][] = [
    ['pass', { kind: 'url', pattern: '^https?://[^/]+/wiki/Eiffel_Tower$' }],
    ['fail', { kind: 'url', pattern: String.raw`^https://arxiv\.org/abs/2401\.13919(?:v\d+)?/?$` }],
    ['pass', { kind: 'dom_text', contains: '330 m' }],
    ['pass', { kind: 'dom_text', selector: 'h1', contains: 'Eiffel' }],
    ['fail', { kind: 'dom_text', selector: 'h1', contains: '330' }],
    ['pass', { kind: 'dom_count', selector: 'h1', op: 'gte', value: 1 }],
    ['pass', { kind: 'dom_count', selector: 'p', op: 'eq', value: 2 }],
    ['pass', { kind: 'dom_count', selector: 'table', op: 'lte', value: 0 }],
    ['pass', { kind: 'network', url_pattern: '/w/api', status_in: [200, 304], since: 'contract_enter' }],
    ['fail', { kind: 'network', url_pattern: '/w/api', status_in: [200, 304], since: 'last_tool_call' }],
    ['inconclusive', { kind: 'screenshot_class', class_id: 'article', distance_max: 8 }],
    ['pass', { kind: 'no_dialog' }],
    ['fail', { kind: 'not', child: { kind: 'no_dialog' } }],
    [
      'pass',
      {
        kind: 'and',
        children: [
          { kind: 'url', pattern: '/wiki/' },
          {
            kind: 'or',
            children: [
              { kind: 'dom_text', contains: 'nowhere' },
              { kind: 'dom_text', contains: 'Paris' },
            ],
          },
        ],
      },
    ],
  ];

  it.each(CASES)('%s: %j', (verdict, input) => {
    const validated = validateContract(input, { kinds: 'seed' });
    if (!validated.ok) throw new Error(JSON.stringify(validated.problems));
    expect(evaluate(validated.contract, on).verdict).toBe(verdict);
  });
});

describe('evidence of nothing', () => {
  const nothing = evidence({ pages: [], network: missing('no log'), app_state: missing('no app') });

  it.each<[Contract, Verdict]>([
    [{ kind: 'url', pattern: '.' }, 'inconclusive'],
    [{ kind: 'dom_text', contains: 'a' }, 'inconclusive'],
    [{ kind: 'dom_count', selector: 'a', op: 'lte', value: 9 }, 'inconclusive'],
    [{ kind: 'no_dialog' }, 'inconclusive'],
    [{ kind: 'network', url_pattern: '.', status_in: [200], since: 'contract_enter' }, 'inconclusive'],
    [{ kind: 'unchanged' }, 'inconclusive'],
    [{ kind: 'app_state', pointer: '/x', absent: true }, 'inconclusive'],
    [{ kind: 'answer', not_possible: true }, 'fail'],
  ])('%j is %s', (contract, verdict) => {
    expect(verdictOf(contract, nothing)).toBe(verdict);
  });
});

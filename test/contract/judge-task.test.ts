import { describe, expect, it } from 'vitest';
import { evaluate } from '../../src/contract/evaluate.ts';
import { fact } from '../../src/messages/messages.ts';
import { judgeTask, progressOf } from '../../src/contract/judge-task.ts';
import type { Contract } from '../../src/contract/schema.ts';
import type { Verdict } from '../../src/contract/verdict.ts';
import { evidence, page } from './evidence-sample.ts';
import { canonicalJson } from '../../src/contract/canonical.ts';
import { decisiveLeaf, forTheRecord, Judgement, type Observed, observedAs } from '../../src/contract/judgement.ts';

const EVIDENCE = evidence({ pages: [page({ url: 'https://shop.test/done' })] });
const CONTRACTS: Record<Verdict, Contract> = {
  pass: { kind: 'url', pattern: '/done$' },
  fail: { kind: 'url', pattern: '/elsewhere$' },
  inconclusive: { kind: 'app_state', pointer: '/sent', equals: true },
};

describe('the two verdicts of a task', () => {
  it('are those of its contracts', () => {
    const [success, guards] = [CONTRACTS.fail, CONTRACTS.inconclusive];
    expect(judgeTask({ success, guards }, EVIDENCE)).toMatchObject({
      goal: 'fail',
      guard: 'inconclusive',
      success: evaluate(success, EVIDENCE),
      guards: evaluate(guards, EVIDENCE),
    });
  });

  it('without guards nothing counts as damaged, and no judgement of them is made up', () => {
    expect(judgeTask({ success: CONTRACTS.fail }, EVIDENCE)).toMatchObject({ guard: 'pass', guards: null });
  });

  it('facts that the contracts rest on are passed to both', () => {
    const success: Contract = { kind: 'screenshot_class', class_id: 'done', distance_max: 1 };
    const judged = judgeTask({ success, guards: success }, EVIDENCE, { screenshotClasses: { done: ['0'.repeat(16)] } });
    const why = fact('not_captured', { why: 'no screenshot was taken' });
    expect([judged.success.why, judged.guards?.why]).toEqual([why, why]);
  });
});

describe('the share of its milestones that an episode reached', () => {
  const MILESTONES = [
    { clause: 'success.children[0]', weight: 3 },
    { clause: 'success.children[1]', weight: 1 },
  ];
  const judged = (clauses: Verdict[], guard: Verdict = 'pass') =>
    judgeTask(
      { success: { kind: 'and', children: clauses.map((each) => CONTRACTS[each]) }, guards: CONTRACTS[guard] },
      EVIDENCE,
    );
  const shareOf = (start: Verdict[], end: Verdict[], guard?: Verdict) =>
    progressOf(MILESTONES, { start: judged(start), end: judged(end, guard) });

  it.each<[Verdict[], number | null]>([
    [['fail', 'fail'], 0],
    [['pass', 'fail'], 0.75],
    [['fail', 'pass'], 0.25],
    [['pass', 'pass'], 1],
    [['pass', 'inconclusive'], null],
  ])('is, for clauses that end in %s, %s', (end, share) => {
    expect(shareOf(['fail', 'fail'], end)).toMatchObject({ share });
  });

  it('is 0 if a guard is broken, whatever was reached, and null if that is unknown', () => {
    expect(shareOf(['fail', 'fail'], ['pass', 'pass'], 'fail')).toMatchObject({ share: 0 });
    expect(shareOf(['fail', 'fail'], ['pass', 'pass'], 'inconclusive')).toMatchObject({ share: null });
  });

  it('leaves out a clause that passed at the start', () => {
    expect(shareOf(['pass', 'fail'], ['pass', 'fail'])).toEqual({ share: 0, reached: [], of: 1 });
    expect(shareOf(['pass', 'fail'], ['pass', 'pass'])).toEqual({ share: 1, reached: ['success.children[1]'], of: 1 });
  });

  it('is null if the end was not judged', () => {
    expect(progressOf(MILESTONES, { start: judged(['fail', 'fail']), end: null })).toMatchObject({ share: null });
  });
});

describe('the deciding part', () => {
  const decisive = (success: Verdict, guards?: Verdict) => {
    const contracts = { success: CONTRACTS[success], guards: guards && CONTRACTS[guards] };
    const found = judgeTask(contracts, EVIDENCE).decisive;
    return found === null ? null : [found.contract, found.leaf.verdict];
  };

  it.each<[Verdict, Verdict | undefined, string[] | null]>([
    ['pass', undefined, null],
    ['pass', 'pass', null],
    ['fail', undefined, ['success', 'fail']],
    ['fail', 'fail', ['success', 'fail']],
    ['inconclusive', 'fail', ['success', 'inconclusive']],
    ['pass', 'fail', ['guards', 'fail']],
    ['pass', 'inconclusive', ['guards', 'inconclusive']],
  ])('success %s, guards %s: %j', (success, guards, expected) => {
    expect(decisive(success, guards)).toEqual(expected);
  });

  it('is a leaf, named from the root of its contract', () => {
    const success: Contract = { kind: 'and', children: [CONTRACTS.pass, { kind: 'or', children: [CONTRACTS.fail] }] };
    expect(judgeTask({ success }, EVIDENCE).decisive).toMatchObject({
      contract: 'success',
      leaf: { kind: 'url', path: 'children.1.children.0' },
    });
  });
});

describe('a preview', () => {
  it('is the whole of a short value', () => {
    expect(shown('x'.repeat(240))).toEqual({ preview: 'x'.repeat(240), length: 240 });
    expect(shown('')).toEqual({ preview: '', length: 0 });
  });

  it('is cut at 240 characters and keeps the full length', () => {
    expect(shown(`${'x'.repeat(240)}y`)).toEqual({ preview: 'x'.repeat(240), length: 241 });
  });

  it('never holds half a character, which could not be hashed', () => {
    const cutInside = shown(`${'x'.repeat(239)}\u{1F600}`);
    expect(cutInside).toEqual({ preview: `${'x'.repeat(239)}\uFFFD`, length: 241 });
    expect(shown('a\uD83Db\uDE00')?.preview).toBe('a\uFFFDb\uFFFD');
    expect(() => canonicalJson(cutInside)).not.toThrow();
  });

  it('keeps whole characters beyond the basic plane', () => {
    expect(shown('\u{1F600}')?.preview).toBe('\u{1F600}');
  });

  it('is redacted before it is cut, so that no half of a secret remains', () => {
    const text = `${'x'.repeat(235)}secret-1234`;
    const hidden = shown(text, (whole) => whole.replaceAll('secret-1234', '[hidden]'));
    expect(hidden).toEqual({ preview: `${'x'.repeat(235)}[hidd`, length: 243 });
  });
});

it('the text of every node, at any depth, is redacted', () => {
  const child = { ...leaf('fail', 'a'), observed: observedAs('a secret'), why: 'it is a secret' };
  const recorded = forTheRecord(branch('not', 'pass', branch('and', 'fail', child)), (text) =>
    text.replaceAll('secret', '[hidden]'),
  );
  expect(JSON.stringify(recorded)).not.toContain('secret');
  expect(recorded.children[0]?.children[0]).toMatchObject({
    observed: { preview: 'a [hidden]' },
    why: 'it is a [hidden]',
  });
});

describe('the leaf that decided against a contract', () => {
  it('there is none after a pass', () => {
    expect(decisiveLeaf(branch('or', 'pass', leaf('fail', 'a'), leaf('pass', 'b')))).toBeNull();
  });

  it('a leaf decides for itself', () => {
    expect(decisiveLeaf(leaf('fail', 'a'))).toMatchObject({ path: 'a' });
  });

  it('is the first that failed, not the first that was inconclusive', () => {
    const judgement = branch(
      'and',
      'fail',
      leaf('pass', 'a'),
      leaf('inconclusive', 'b'),
      leaf('fail', 'c'),
      leaf('fail', 'd'),
    );
    expect(decisiveLeaf(judgement)).toMatchObject({ path: 'c' });
  });

  it('is the first that was inconclusive when that decided', () => {
    const judgement = branch('or', 'inconclusive', leaf('fail', 'a'), leaf('inconclusive', 'b'));
    expect(decisiveLeaf(judgement)).toMatchObject({ path: 'b' });
  });

  it('is sought through every level', () => {
    const inner = branch('or', 'fail', leaf('fail', 'x'), leaf('fail', 'y'));
    expect(decisiveLeaf(branch('and', 'fail', leaf('pass', 'a'), inner))).toMatchObject({ path: 'x' });
  });

  it('is the not that failed, with its child’s observation', () => {
    expect(decisiveLeaf(branch('not', 'fail', leaf('pass', 'a')))).toMatchObject({
      kind: 'not',
      observed: { preview: 'seen at a' },
    });
  });

  it('is below a not that is inconclusive: the reason is there', () => {
    const child = branch('and', 'inconclusive', leaf('pass', 'a'), leaf('inconclusive', 'b'));
    expect(decisiveLeaf(branch('not', 'inconclusive', child))).toMatchObject({ path: 'b' });
  });
});

it('a judgement of any depth fits its schema', () => {
  expect(Judgement.parse(branch('not', 'fail', branch('and', 'pass', leaf('pass', 'a'))))).toMatchObject({
    kind: 'not',
  });
});

/** How a text is shown that an assertion observed. */
function shown(text: string, redact: (text: string) => string = (whole) => whole): Observed | null {
  return forTheRecord({ ...leaf('fail', ''), observed: observedAs(text) }, redact).observed;
}

function leaf(verdict: Verdict, path: string): Judgement {
  return { verdict, path, kind: 'url', expected: 'x', observed: observedAs(`seen at ${path}`), why: '', children: [] };
}

function branch(kind: string, verdict: Verdict, ...children: Judgement[]): Judgement {
  return { verdict, path: '', kind, expected: 'x', observed: null, why: '', children };
}

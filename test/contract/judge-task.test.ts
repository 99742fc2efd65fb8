import { describe, expect, it } from 'vitest';
import { evaluate } from '../../src/contract/evaluate.ts';
import { fact } from '../../src/messages/messages.ts';
import { judgeTask } from '../../src/contract/judge-task.ts';
import type { Contract } from '../../src/contract/schema.ts';
import type { Verdict } from '../../src/contract/verdict.ts';
import { evidence, page } from './evidence-sample.ts';

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

  it('without guards nothing could have been damaged, and no judgement of them is made up', () => {
    expect(judgeTask({ success: CONTRACTS.fail }, EVIDENCE)).toMatchObject({ guard: 'pass', guards: null });
  });

  it('what the contracts lean on is handed to both', () => {
    const success: Contract = { kind: 'screenshot_class', class_id: 'done', distance_max: 1 };
    const judged = judgeTask({ success, guards: success }, EVIDENCE, { screenshotClasses: { done: ['0'.repeat(16)] } });
    const why = fact('not_captured', { why: 'no screenshot was taken' });
    expect([judged.success.why, judged.guards?.why]).toEqual([why, why]);
  });
});

describe('what decided', () => {
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

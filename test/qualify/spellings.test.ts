import { describe, expect, it, test } from 'vitest';
import { spellingsOf } from '../../src/contract/answer/spellings.ts';
import { evaluate } from '../../src/contract/evaluate.ts';
import { judgeTask } from '../../src/contract/judge-task.ts';
import { type Contract, leavesIn } from '../../src/contract/schema.ts';
import { judgeTrials } from '../../src/qualify/judge-trials.ts';
import type { JudgedTrial } from '../../src/qualify/judged-trial.ts';
import { evidence } from '../contract/evidence-sample.ts';
import { builtIn } from '../suite-files.ts';

describe('spellings that mean the same', () => {
  it.each([
    ["Charlotte's Web", 'Charlotte’s Web'],
    ['Charlotte’s Web', "Charlotte's Web"],
    ['the "best"', 'the “best”'],
    ['B-4711', 'B‑4711'],
    ['1–5', '1-5'],
    ['wait...', 'wait…'],
    ['1,500', '1500'],
    ['1500.5', '1,500.5'],
    ['1887-01-28', '28 January 1887'],
    ['May 2, 2031', '2031-05-02'],
  ])('%j is also written %j', (value, other) => {
    expect(spellingsOf(value)).toContain(other);
  });

  it.each(['000170', '42', '4.3.5', 'Paris', '["a-b"]'])('%j is written in one way', (value) => {
    expect(spellingsOf(value)).toEqual([]);
  });
});

/** Proves a task whose reference passed with this answer. */
async function proofOf(success: Contract, value: string) {
  const { tasks } = await builtIn('basics');
  const [first] = tasks;
  if (first === undefined) throw new Error('basics has no task');
  const task = { ...first.task, success, guards: undefined };
  const end = evidence({ answer: { value } });
  const judged = judgeTask(task, end);
  const reference: JudgedTrial = {
    trial: { id: 'reference', kind: 'reference', surface: 'aria', what: null },
    stop: 'done',
    detail: null,
    finalUrl: null,
    start: null,
    end,
    status: 'passed',
    goal: judged.goal,
    guard: judged.guard,
    judged,
  };
  const hash = '0'.repeat(64);
  const planned = { suite: 'basics', task, task_hash: hash, contract_hash: hash, screenshot_classes: {} };
  return judgeTrials({ planned, tried: [reference], waivers: [] });
}

test('a correct answer that fails in another spelling blocks a proof, unless each character counts or a type takes it', async () => {
  const reason = 'the answer fails as "28 January 1887", which means the same: give it a type, or exact: true';
  const text = await proofOf({ kind: 'answer', one_of: ['1887-01-28'] }, '1887-01-28');
  expect(text.reasons).toContain(reason);
  const [exact, date] = await Promise.all([
    proofOf({ kind: 'answer', one_of: ['1887-01-28'], exact: true }, '1887-01-28'),
    proofOf({ kind: 'answer', date: '1887-01-28' }, '1887-01-28'),
  ]);
  expect([exact.spellings, date.spellings?.failed]).toEqual([undefined, []]);
  expect([...exact.reasons, ...date.reasons].join()).not.toContain('means the same');
});

test.each(['account', 'basics', 'protocols', 'stress', 'webvoyager'])(
  'each answer in %s is taken in other spellings',
  async (id) => {
    const { tasks } = await builtIn(id);
    const refused = tasks.flatMap(({ task }) => {
      const values = (task.solutions ?? []).flatMap(({ steps }) =>
        steps.flatMap((step) => (step.do === 'answer' ? [step.value] : [])),
      );
      const takes = (leaf: Contract, value: string | number) =>
        evaluate(leaf, evidence({ answer: { value } })).verdict === 'pass';
      return leavesIn(task.success)
        .filter((leaf) => leaf.kind === 'answer' && leaf.exact !== true)
        .flatMap((leaf) =>
          values
            .filter((value) => takes(leaf, value))
            .flatMap(spellingsOf)
            .filter((value) => !takes(leaf, value)),
        )
        .map((spelling) => `${task.id}: ${spelling}`);
    });
    expect(refused).toEqual([]);
  },
);

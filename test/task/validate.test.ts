import { expect, it } from 'vitest';
import { defineTask, TaskError, validateTask } from '../../src/task/validate.ts';
import { contractHash, taskHash } from '../../src/task/schema.ts';
import { messageFor } from '../../src/messages/messages.ts';
import { SAMPLE } from './sample-task.ts';

it('fills in the caps that a task leaves out', () => {
  expect(defineTask(SAMPLE)).toEqual({ ...SAMPLE, maxSteps: 30, maxDurationMs: 120_000 });
});

it('accepts caps at their limits', () => {
  const task = { ...SAMPLE, maxSteps: 100, maxDurationMs: 600_000, maxTurns: 1, maxTokens: 1, maxUsd: 0.01 };
  expect(defineTask(task)).toEqual(task);
});

it('a solution is for the page by default', () => {
  const { solutions } = defineTask({
    ...SAMPLE,
    solutions: [{ steps: [{ do: 'read' }] }, { for: 'tools', steps: [{ do: 'call', tool: 'send' }] }],
  });
  expect(solutions).toEqual([
    { for: 'page', steps: [{ do: 'read' }] },
    { for: 'tools', steps: [{ do: 'call', tool: 'send', args: {} }] },
  ]);
});

it('leaves out fields whose value is undefined, as JSON does', () => {
  expect(
    defineTask({ ...SAMPLE, guards: undefined, success: { kind: 'url', pattern: 'done$', page: undefined } }),
  ).toEqual(defineTask(SAMPLE));
});

it('throws one error that names every problem', () => {
  const wrong = { ...SAMPLE, maxSteps: 0, success: { kind: 'url', pattern: '' } } as const;
  expect(() => defineTask(wrong)).toThrow(TaskError);
  expect(() => defineTask(wrong)).toThrow(
    'the task is not valid:\n  maxSteps: must be at least 1, not 0\n  success.pattern: is empty: an empty pattern matches everything',
  );
});

it('refuses arguments that contain themselves', () => {
  const args: Record<string, never> = {};
  Reflect.set(args, 'self', args);
  expect(() => defineTask({ ...SAMPLE, solutions: [{ steps: [{ do: 'call', tool: 'send', args }] }] })).toThrow(
    'solutions: is nested deeper than 64 levels, or contains itself; flatten it',
  );
});

it("a task may limit itself to the seed's kinds, and cannot free itself from such a suite", () => {
  const answered = { ...SAMPLE, success: { kind: 'answer', number: 1 } } as const;
  expect(defineTask(answered).kinds).toBeUndefined();
  expect(defineTask({ ...SAMPLE, kinds: 'seed' }).kinds).toBe('seed');
  expect(() => defineTask({ ...answered, kinds: 'seed' })).toThrow(
    'success.kind: "answer" is an extension, which "kinds: seed" refuses',
  );
  const freed = validateTask({ ...answered, kinds: 'all' }, { kinds: 'seed' });
  expect(freed.ok ? [] : freed.problems.map(({ path }) => path)).toEqual([['kinds'], ['success', 'kind']]);
});

it('a written default and an omitted one have the same hash', () => {
  expect(taskHash(defineTask(SAMPLE))).toBe(taskHash(defineTask({ ...SAMPLE, maxSteps: 30, maxDurationMs: 120_000 })));
});

it('the task hash covers every field, the contract hash only the judging', () => {
  const before = defineTask(SAMPLE);
  const renamed = defineTask({ ...SAMPLE, title: 'Another' });
  const guarded = defineTask({ ...SAMPLE, guards: { kind: 'no_dialog' } });
  expect(taskHash(renamed)).not.toBe(taskHash(before));
  expect(contractHash(renamed)).toBe(contractHash(before));
  expect(contractHash(guarded)).not.toBe(contractHash(before));
});

it('refuses milestones that are no clauses, lie under something other than "and", or are named twice', () => {
  const leaf = { kind: 'no_dialog' } as const;
  const success = { kind: 'and', children: [leaf, { kind: 'or', children: [leaf] }] } as const;
  const named = (...clauses: string[]) =>
    validateTask({ ...SAMPLE, success, milestones: clauses.map((clause) => ({ clause })) });
  expect(named('success.children[0]', 'success.children[1]')).toMatchObject({
    ok: true,
    value: { milestones: [{ weight: 1 }, { weight: 1 }] },
  });
  for (const clause of ['success.children[2]', 'success.children[1].children[0]', 'success', 'guards.children[0]']) {
    expect(named(clause)).toMatchObject({ ok: false, problems: [{ path: ['milestones', 0, 'clause'] }] });
  }
  expect(named('success.children[0]', 'success.children[0]')).toMatchObject({
    ok: false,
    problems: [{ path: ['milestones', 1, 'clause'], what: { code: 'listed_twice' } }],
  });
});

it.each([
  [{ clock: '2026-03-02T09:00:00Z' }, ['clock: unknown field; write it under "setup": setup: { clock: … }']],
  [{ setup: { clock: '2026-03-02T09:00:00Z' } }, []],
  [{ url: 'http://a.localhost/' }, ['url: unknown field; use startUrl']],
  [{ auths: 1 }, ['auths: unknown field; did you mean "auth"?']],
])('of the fields %j it reports %j', (fields, expected) => {
  const result = validateTask({ ...SAMPLE, ...fields });
  const problems = result.ok ? [] : result.problems;
  expect(problems.map(({ path, what }) => `${path.join('.')}: ${messageFor(what)}`)).toEqual(expected);
});

it.each<[object, string[]]>([
  [{ do: 'fill', label: '', text: 'a' }, ['control_name_empty']],
  [{ do: 'fill', text: 'a' }, ['control_name_empty']],
  [{ do: 'click', role: 'button', name: '' }, ['control_name_empty']],
  [{ do: 'choose', label: 'Topic', nth: 1, option: 'a' }, ['needs_exactly_one']],
  [{ do: 'fill', nth: 1, near: 'Name', text: 'a' }, ['needs_exactly_one']],
  [{ do: 'fill', role: 'textbox', nth: 0, text: 'a' }, ['too_small']],
  [{ do: 'fill', role: 'textbox', nth: 2, text: 'a' }, []],
  [{ do: 'choose', near: 'Topic', option: 'a' }, []],
  [{ do: 'click', role: 'checkbox', nth: 2 }, []],
])('a step finds its control in one way: %j gives %j', (step, codes) => {
  const validated = validateTask({ ...SAMPLE, solutions: [{ steps: [step] }] });
  expect(validated.ok ? [] : validated.problems.map(({ what }) => what.code)).toEqual(codes);
});

it('reads a task again with the defaults of its steps, as a bundle has it', () => {
  const steps = [{ do: 'fill', nth: 2, text: 'a' }] as const;
  const task = defineTask({ ...SAMPLE, solutions: [{ steps: [...steps] }] });
  expect(validateTask(task)).toEqual({ ok: true, value: task });
});

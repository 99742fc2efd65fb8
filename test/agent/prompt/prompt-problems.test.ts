import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { promptProblems } from '../../../src/agent/prompt/prompt-problems.ts';
import { loadSuite } from '../../../src/task/load-suite.ts';
import { literalsOf } from '../../../src/task/literals.ts';

import { Task, type TaskInput } from '../../../src/task/schema.ts';

const DEFAULT = readFileSync('prompts/default.md', 'utf8');

/** A task of a client and an amount, which a contract and a goal name. */
function taskWith(change: Partial<TaskInput> = {}) {
  return Task.parse({
    id: 'invoice',
    title: 'Write an invoice',
    startUrl: 'http://a.test/',
    goal: 'Write an invoice for “Muebles Sol” and save it.',
    success: { kind: 'dom_text', selector: 'h1', equals: 'Invoice INV-0042' },
    ...change,
  });
}

/** What is said of the default prompt when a line is added to its first section. */
function problemsWith(line: string, change: Partial<TaskInput> = {}): string[] {
  const text = DEFAULT.replace('## multi_turn', `${line}\n\n## multi_turn`);
  return promptProblems('p.md', text, [taskWith(change)]).map(({ message }) => message);
}

test.each(readdirSync('prompts'))('%s holds no literal of any built-in suite, and names nothing else', async (name) => {
  const text = readFileSync(`prompts/${name}`, 'utf8');
  const suites = await Promise.all(readdirSync('suites').map((suite) => loadSuite(`suites/${suite}`)));
  const tasks = suites.flatMap((loaded) => (loaded.ok ? loaded.suite.tasks.map(({ task }) => task) : []));
  expect(tasks.length).toBeGreaterThan(20);
  expect(promptProblems(name, text, tasks)).toEqual([]);
});

test.each(readdirSync('prompts'))('%s says that tools come first, and success only after them', (name) => {
  const text = readFileSync(`prompts/${name}`, 'utf8');
  expect(text).toMatch(/Call tools first; never claim success unless the tool call .* was emitted/);
});

test('there are at least three prompts, and no two say the same', () => {
  const texts = readdirSync('prompts').map((name) => readFileSync(`prompts/${name}`, 'utf8'));
  expect(new Set(texts).size).toBeGreaterThanOrEqual(3);
});

describe('a prompt is refused that holds', () => {
  test.each([
    ['what the contract expects', 'Look for Invoice INV-0042.', '"Invoice INV-0042" is a literal of the task'],
    ['what the goal quotes', 'For example, choose Muebles Sol.', '"Muebles Sol" is a literal of the task'],
    ['a tool that not every surface has', 'Call `click` first.', '`click` is no tool that every surface has'],
    ['a placeholder that nobody fills in', 'Your name is {{name}}.', 'nobody fills in {{name}} here'],
    ['a placeholder of another section', 'You will see {{observation}}.', 'nobody fills in {{observation}} here'],
  ])('%s', (_, line, expected) => {
    expect(problemsWith(line)).toEqual([expect.stringContaining(expected)]);
  });

  test.each<[string, Partial<TaskInput>, string]>([
    ['an answer', { success: { kind: 'answer', one_of: ['Ana García'] } }, 'Ana García'],
    ['a number', { success: { kind: 'answer', number: 1500 } }, '1500'],
    [
      'a state of the app',
      { success: { kind: 'app_state', pointer: '/a', equals: { b: ['Monitor 27'] } } },
      'Monitor 27',
    ],
    ['a piece of a pattern', { success: { kind: 'dom_text', matches: '(?i)\\bKlima-Plus\\b' } }, 'Klima-Plus'],
    [
      'what a guard expects',
      { guards: { kind: 'not', child: { kind: 'dom_text', contains: 'Deleted!' } } },
      'Deleted!',
    ],
    ['a value of the instance', { instance: { name: 'one', parameters: { client: 'Bravo SL' } } }, 'Bravo SL'],
  ])('%s', (_, change, literal) => {
    expect(problemsWith(`Remember ${literal} well.`, change)).toEqual([
      expect.stringContaining(JSON.stringify(literal)),
    ]);
    expect(problemsWith('Remember it well.', change)).toEqual([]);
  });

  test('and the place is told', () => {
    const text = DEFAULT.replace('## task', '\nINV\n\n## task').replace('INV', 'Invoice INV-0042');
    const [problem] = promptProblems('p.md', text, [taskWith()]);
    expect(text.split('\n')[(problem?.line ?? 0) - 1]).toBe('Invoice INV-0042');
  });
});

describe('a prompt may hold', () => {
  test.each([
    ['a literal within a longer word', 'See XInvoice INV-00421.'],
    ['what ends an episode, and its fields', 'Call `done` with `answer`, or `give_up` with a `reason`.'],
    ['a shape that is no name', 'Write `{"calls": []}`.'],
  ])('%s', (_, line) => {
    expect(problemsWith(line)).toEqual([]);
  });

  test('anything before its first section, which no model is told', () => {
    expect(promptProblems('p.md', `Muebles Sol, \`click\`, {{name}}\n\n${DEFAULT}`, [taskWith()])).toEqual([]);
  });
});

test('an ordinary word and a short text are no literals', () => {
  const success = { kind: 'or', children: ['saved', 'two words', 'INV', 'Saved'].map(textIs) } as const;
  expect([...literalsOf(taskWith({ success, goal: 'Save it.' }))]).toEqual(['two words', 'Saved']);
});

function textIs(equals: string) {
  return { kind: 'dom_text', equals } as const;
}

test.each([
  ['without a section', '## material', '## matter', 'the prompt has no section "## material"'],
  ['without the goal', '{{goal}}', '', 'the section "## task" of the prompt has no {{goal}}'],
  ['without the tools', '{{tools}}', '', 'the section "## material" of the prompt has no {{tools}}'],
])('a prompt %s is none', (_, from, to, expected) => {
  expect(promptProblems('p.md', DEFAULT.replace(from, to), [])).toMatchObject([{ file: 'p.md', message: expected }]);
});

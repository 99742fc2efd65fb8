import { readFileSync, readdirSync } from 'node:fs';
import { expect, test, describe } from 'vitest';
import { messageFor } from '../../src/messages/messages.ts';
import { filled, parsePrompt, promptProblems, taskText } from '../../src/agent/prompt.ts';
import { capsOf } from '../../src/task/caps.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import { literalsOf, ORDINARY_WORDS } from '../../src/task/literals.ts';
import { Task, type TaskInput } from '../../src/task/schema.ts';
import { builtIn } from '../suite-files.ts';

const FILE = readFileSync('prompts/default.md', 'utf8');

test('a prompt file is read section by section', () => {
  const prompt = parsePrompt(FILE);
  expect(prompt.system).toMatch(/^You operate a web browser/);
  expect(prompt.task).toContain('{{goal}}');
  expect(Object.values(prompt).join()).not.toContain('##');
});

test('one without a section is refused by its name', () => {
  expect(() => parsePrompt(FILE.replace('## give_up', '## giveup'))).toThrow('the prompt has no section "## give_up"');
});

test('only known values are filled in, once', () => {
  expect(filled('{{a}} {{b}}', { a: '{{b}}' })).toBe('{{b}} {{b}}');
});

test('paths of files are named only where there are any', () => {
  const brief = { id: 'a', title: 'A', goal: 'Hand it in.', startUrl: 'http://a.test/', caps: capsOf(taskWith()) };
  const text = taskText(parsePrompt(FILE), brief);
  expect(taskText(parsePrompt(FILE), { ...brief, files: ['/tmp/files/a.txt'] })).toBe(
    `${text}\n\nFiles: /tmp/files/a.txt`,
  );
  expect(text).not.toContain('Files');
});

const SUITES = await Promise.all(readdirSync('suites').map((suite) => loadSuite(`suites/${suite}`)));
const TASKS = SUITES.flatMap((loaded) => (loaded.ok ? loaded.suite.tasks.map(({ task }) => task) : []));

type Step = NonNullable<TaskInput['solutions']>[number]['steps'][number];

function pressing(step: Step): TaskInput['solutions'] {
  return [{ steps: [step] }];
}

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

/** The problems of the default prompt with a line added to its first section. */
function problemsWith(line: string, change: Partial<TaskInput> = {}): string[] {
  const text = FILE.replace('## multi_turn', `${line}\n\n## multi_turn`);
  return promptProblems('p.md', text, [taskWith(change)]).map(({ what }) => messageFor(what));
}

test.each(readdirSync('prompts'))('%s holds no literal of any built-in suite, and names nothing else', (name) => {
  expect(TASKS.length).toBeGreaterThan(20);
  expect(promptProblems(name, readFileSync(`prompts/${name}`, 'utf8'), TASKS)).toEqual([]);
});

test.each([
  ['a value without its accent', '{description: consultoria, qty: 10, unit_price: 150}', '"Consultoría" is a literal'],
  ['a price', 'For example: a monitor, quantity 1, price 250', '"250" is a literal'],
  ['a button of a line', 'Press Corregir línea 1, then Guardar factura', '"Corregir línea 1" is a literal'],
])('the suite protocols refuses a prompt that holds %s', async (_, line, expected) => {
  const tasks = (await builtIn('protocols')).tasks.map(({ task }) => task);
  const text = FILE.replace('## multi_turn', `${line}\n\n## multi_turn`);
  const problems = promptProblems('p.md', text, tasks).map(({ what }) => messageFor(what));
  expect(problems).toContainEqual(expect.stringContaining(expected));
  expect(promptProblems('p.md', FILE, tasks)).toEqual([]);
});

test.each(readdirSync('prompts'))('%s demands tools first, and success only after them', (name) => {
  const text = readFileSync(`prompts/${name}`, 'utf8');
  expect(text).toMatch(/Call tools first; never claim success unless the tool call .* was emitted/);
});

test('there are at least three different prompts', () => {
  const texts = readdirSync('prompts').map((name) => readFileSync(`prompts/${name}`, 'utf8'));
  expect(new Set(texts).size).toBeGreaterThanOrEqual(3);
});

describe('a prompt is refused if it contains', () => {
  test.each([
    ['what the contract expects', 'Look for Invoice INV-0042.', '"Invoice INV-0042" is a literal of the task'],
    ['what the goal quotes', 'For example, choose Muebles Sol.', '"Muebles Sol" is a literal of the task'],
    ['a tool that not every surface has', 'Call `click` first.', '`click` is not a tool of every surface'],
    ['a placeholder that nothing fills in', 'Your name is {{name}}.', 'nothing fills in {{name}} here'],
    ['a placeholder of another section', 'You will see {{observation}}.', 'nothing fills in {{observation}} here'],
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

  test.each<[string, TaskInput['solutions'], string, string]>([
    [
      'a control that a solution presses',
      pressing({ do: 'click', role: 'button', name: 'Línea nueva' }),
      'linea NUEVA',
      'Línea nueva',
    ],
    ['a field of a solution', pressing({ do: 'fill', label: 'Domicilio', text: '' }), 'domicilio', 'Domicilio'],
    [
      'what a solution fills in',
      pressing({ do: 'fill', label: 'x', text: 'Consultoría' }),
      'consultoria',
      'Consultoría',
    ],
    ['what a solution chooses', pressing({ do: 'choose', label: 'x', option: 'Contado' }), 'contado', 'Contado'],
    [
      'what a solution waits for',
      pressing({ do: 'wait_for', text: 'Guardada del todo' }),
      'guardada  del todo',
      'Guardada del todo',
    ],
    ['where a solution goes', pressing({ do: 'go', url: 'http://a.test/b' }), 'http://A.test/b', 'http://a.test/b'],
    ['an argument of a solution', pressing({ do: 'call', tool: 'x', args: { price: 250 } }), '250', '250'],
    ['a tool of a solution', pressing({ do: 'call', tool: 'addLine', args: {} }), 'addline', 'addLine'],
    ['what a solution answers', pressing({ do: 'answer', value: 'Ana García' }), 'ana garcia', 'Ana García'],
  ])('%s, in any case and accents', (_, solutions, written, literal) => {
    expect(problemsWith(`Remember ${written} well.`, { solutions })).toEqual([
      expect.stringContaining(`${JSON.stringify(literal)} is a literal of the task "invoice"`),
    ]);
    expect(problemsWith(`Remember ${written} well.`)).toEqual([]);
  });

  test.each<[string, Partial<TaskInput>]>([
    ['of what is expected', { success: { kind: 'app_state', pointer: '/invoices/INV-0016/status', equals: 'paid' } }],
    ['of what may change', { guards: { kind: 'unchanged', except: ['/invoices/INV-0016'] } }],
  ])('the id in a pointer %s', (_, change) => {
    const [problem] = problemsWith('Open inv-0016.', change);
    expect(problem).toContain('"INV-0016" is a literal of the task');
  });

  test.each([
    ['in quotation marks', 'Use the "Nueva linea" button.', '"Nueva linea"'],
    ['in others', 'Use the «Nueva linea» button.', '«Nueva linea»'],
    ['in single ones', "Use the 'Nueva linea' button.", "'Nueva linea'"],
    ['joined by a hyphen', 'Look at the data-tab attribute.', 'data-tab'],
    ['joined by an underscore', 'Give its unit_price.', 'unit_price'],
  ])('a name %s', (_, line, name) => {
    expect(problemsWith(line)).toEqual([`${name} does not exist in every app; describe what to do instead`]);
  });

  test('and a literal of many tasks is reported once for each place', () => {
    const tasks = ['one', 'two', 'three'].map((id) => taskWith({ id }));
    const text = FILE.replace('## multi_turn', 'Muebles Sol, muebles sol\n\n## multi_turn');
    const problem = '"Muebles Sol" is a literal of the task "one" and of 2 more; leave it out';
    expect(promptProblems('p.md', text, tasks).map(({ what }) => messageFor(what))).toEqual([problem, problem]);
  });

  test('and its line is reported', () => {
    const text = FILE.replace('## task', '\nINV\n\n## task').replace('INV', 'Invoice INV-0042');
    const [problem] = promptProblems('p.md', text, [taskWith()]);
    expect(text.split('\n')[(problem?.line ?? 0) - 1]).toBe('Invoice INV-0042');
  });
});

describe('a prompt may hold', () => {
  test.each([
    ['a literal within a longer word', 'See the Muebles Solares.'],
    ['what ends an episode, and its fields', 'Call `done` with `answer`, or `give_up` with a `reason`.'],
    ['an apostrophe, and a dash', "The user's task isn't yours – it is the users' own."],
    ['what ends an episode, in quotation marks', 'Write "done".'],
    ['a shape that is no name', 'Write `{"calls": []}`.'],
  ])('%s', (_, line) => {
    expect(problemsWith(line)).toEqual([]);
  });

  test('anything before its first section, which no model is given', () => {
    expect(promptProblems('p.md', `Muebles Sol, \`click\`, {{name}}\n\n${FILE}`, [taskWith()])).toEqual([]);
  });
});

test.each(readdirSync('prompts'))('every word of %s is an ordinary one, so that no suite can bar it', (name) => {
  const text = readFileSync(`prompts/${name}`, 'utf8');
  const own = text.slice(text.search(/^## /m)).replaceAll(/^## .*$|\{\{\w+\}\}|`[^`]*`/gm, ' ');
  const words = own.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
  expect(words.length).toBeGreaterThan(20);
  expect(words.filter((word) => !ORDINARY_WORDS.has(word))).toEqual([]);
});

test('an ordinary word and a short text are no literals', () => {
  const texts = ['stored', 'two words', 'INV', 'Saved', 'Stored', '42', '420'];
  const success = { kind: 'or', children: texts.map(textIs) } as const;
  expect([...literalsOf(taskWith({ success, goal: 'Save it.' }))]).toEqual(['two words', 'Stored', '420']);
});

function textIs(equals: string) {
  return { kind: 'dom_text', equals } as const;
}

test.each([
  ['without a section', '## material', '## matter', 'the prompt has no section "## material"'],
  ['without the goal', '{{goal}}', '', 'the section "## task" of the prompt has no {{goal}}'],
  ['without the tools', '{{tools}}', '', 'the section "## material" of the prompt has no {{tools}}'],
])('a prompt %s is invalid', (_, from, to, expected) => {
  expect(promptProblems('p.md', FILE.replace(from, to), [])).toMatchObject([
    { file: 'p.md', what: { params: { text: expected } } },
  ]);
});

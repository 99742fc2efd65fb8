import { expect, test } from 'vitest';
import { bindingOf, elementsBy, ServerTargets } from '../../../src/surface/mcp/binding.ts';
import { BindingFile } from '../../../src/surface/mcp/server-file.ts';
import { targetClass, type TargetReport } from '../../../src/task/target.ts';

const FILE = BindingFile.parse({
  look: { tool: 'look', args: { page: '{{tab}}' } },
  elements: '^(?<ref>\\d+) (?<role>\\w+) "(?<name>.*)"$',
  click: { tool: 'click', args: { page: '{{tab}}', id: '{{ref}}', what: 'the {{role}} {{name}}' } },
  fill: { tool: 'type', args: { id: '{{ref}}', values: ['{{text}}'] } },
  switch_tab: { tool: 'tab', args: { index: '{{index}}', id: '{{tab_id}}' } },
  accept: { tool: 'dialog', args: { yes: true, words: '{{text}}' } },
});
/** The start page, a tab that the server opened for itself, and two that the page opened. */
const TABS = () => [
  { id: 'A', isTools: false },
  { id: 'B', isTools: true },
  { id: 'C', isTools: false },
  { id: 'D', isTools: false },
];
const PAGE = {
  ok: true,
  kind: 'text',
  text: '1 button "Send"\n2 textbox "Send"\n3 button "Send"\nnot 4 button "Send"',
};

test('a step on an element takes the first named on a line, with its content', async () => {
  const bind = bindingOf(FILE, TABS);
  expect(await bind({ do: 'click', role: 'button', name: 'Send' }, PAGE)).toEqual({
    kind: 'call',
    call: { tool: 'click', args: { page: 1, id: '1', what: 'the button Send' } },
  });
  expect(await bind({ do: 'fill', label: 'Send', text: 'a {{ref}} $1' }, PAGE)).toEqual({
    kind: 'call',
    call: { tool: 'type', args: { id: '2', values: ['a {{ref}} $1'] } },
  });
});

test('an element that is not shown needs a look', async () => {
  const bind = bindingOf(FILE, TABS);
  const look = { kind: 'observe', call: { tool: 'look', args: { page: 1 } } };
  expect(await bind({ do: 'click', role: 'link', name: 'Send' }, PAGE)).toEqual(look);
  expect(await bind({ do: 'click', role: 'button', name: 'Send' }, null)).toEqual(look);
});

test('an element that a look does not show is looked for once more closely, if that is bound', async () => {
  const closer = BindingFile.parse({ ...FILE, closer_look: { tool: 'look', args: { page: '{{tab}}', all: true } } });
  const link = { do: 'click', role: 'link', name: 'Send' } as const;
  const [once, never] = [bindingOf(closer, TABS), bindingOf(FILE, TABS)];
  for (const args of [{ page: 1 }, { page: 1, all: true }, { page: 1 }])
    expect(await once(link, PAGE)).toEqual({
      kind: 'all' in args ? 'begin' : 'observe',
      call: { tool: 'look', args },
    });
  for (let at = 0; at < 3; at += 1) expect(await never(link, PAGE)).toMatchObject({ kind: 'observe' });
});

test('a chosen tab is the current one from then on, in this session only', async () => {
  const [one, other] = [bindingOf(FILE, TABS), bindingOf(FILE, TABS)];
  expect(one({ do: 'switch_tab', index: 2 }, null)).toEqual({
    kind: 'call',
    call: { tool: 'tab', args: { index: 3, id: 'D' } },
  });
  expect(one({ do: 'read' }, null)).toMatchObject({ call: { args: { page: 4 } } });
  expect(other({ do: 'read' }, null)).toMatchObject({ call: { args: { page: 1 } } });
});

test('the server’s own tabs do not count', async () => {
  const bind = bindingOf(FILE, TABS);
  expect(await bind({ do: 'switch_tab', index: 1 }, null)).toMatchObject({ call: { args: { index: 2, id: 'C' } } });
  expect(await bind({ do: 'switch_tab', index: 3 }, null)).toEqual({
    kind: 'impossible',
    why: 'no page has opened a tab 4',
  });
  expect(await bind({ do: 'read' }, null)).toEqual({ kind: 'call', call: { tool: 'look', args: { page: 4 } } });
});

test('a placeholder in the name of a field is filled in, and the field left out if it has no value', async () => {
  const byName = { tool: 'fill', args: { fields: { 'the {{name}}': '{{text}}', '{{role}}': 1 } } };
  const keyed = BindingFile.parse({ ...FILE, fill: byName, accept: { tool: 'a', args: { '{{text}}': true, b: 2 } } });
  const bind = bindingOf(keyed, TABS);
  expect(await bind({ do: 'fill', label: 'Send', text: 'x' }, PAGE)).toMatchObject({
    call: { args: { fields: { 'the Send': 'x', textbox: 1 } } },
  });
  expect(await bind({ do: 'dialog', action: 'accept' }, null)).toMatchObject({ call: { args: { b: 2 } } });
  expect(await bind({ do: 'dialog', action: 'accept' }, null)).not.toMatchObject({
    call: { args: { '{{text}}': true } },
  });
});

test('an element is named in the first of several ways that fits a line', async () => {
  const two = BindingFile.parse({
    ...FILE,
    elements: [...FILE.elements, 'aria', '^(?<ref>\\d+)(?<role>b)(?<name>.*)$'],
  });
  const text = '1 button "One"\n- button "Two" [ref=e2]\n3bThree\n4 x';
  expect(elementsBy(two)(text)).toEqual([
    { ref: '1', role: 'button', name: 'One' },
    { ref: 'e2', role: 'button', name: 'Two' },
    { ref: '3', role: 'b', name: 'Three' },
  ]);
  expect(elementsBy(FILE)(text)).toHaveLength(1);
});

test('a line may hold several elements, of which the first has the label of the line before', () => {
  const inline = { elements: ['\\[(?<ref>\\d+)\\] (?<role>\\w+) "(?<name>.*?)"'], labels: ['^- (?<name>.+)$'] };
  expect(elementsBy(inline)('[1] button "Send", [2] link ""\n- Amount\n[3] input "" [4] input ""')).toEqual([
    { ref: '1', role: 'button', name: 'Send' },
    { ref: '2', role: 'link', name: '' },
    { ref: '3', role: 'input', name: '', text: 'Amount' },
    { ref: '4', role: 'input', name: '' },
  ]);
  const whole = { elements: [`^${inline.elements[0]}`] };
  expect(elementsBy(whole)('[1] button "Send", [2] link ""')).toHaveLength(1);
});

test('a field without a value is left out', async () => {
  const bind = bindingOf(FILE, TABS);
  expect(await bind({ do: 'dialog', action: 'accept' }, null)).toEqual({
    kind: 'call',
    call: { tool: 'dialog', args: { yes: true } },
  });
  expect(await bind({ do: 'dialog', action: 'accept', text: 'Ada' }, null)).toMatchObject({
    call: { args: { words: 'Ada' } },
  });
});

test('an unbound step is impossible, with its name', async () => {
  expect(bindingOf(FILE, TABS)({ do: 'press', key: 'Enter' }, null)).toEqual({
    kind: 'impossible',
    why: 'no call is bound to "press"',
    unbound: true,
  });
  expect(bindingOf(undefined, TABS)({ do: 'read' }, null)).toMatchObject({ kind: 'impossible' });
});

const UPLOAD = { do: 'upload' as const, role: 'button', name: 'Send' };
const PATHS = new Map([
  ['a.txt', '/home/a.txt'],
  ['b.txt', '/home/b.txt'],
]);

test('an upload may take two calls, of which the second names no element, and has the paths of the files', async () => {
  const upload = [
    { tool: 'click', args: { id: '{{ref}}' } },
    { tool: 'choose', args: { paths: '{{files}}' } },
  ];
  const bind = bindingOf(BindingFile.parse({ ...FILE, upload }), TABS, PATHS);
  const step = { ...UPLOAD, files: ['b.txt', 'a.txt'] };
  for (let times = 0; times < 2; times += 1) {
    expect(await bind(step, null)).toMatchObject({ kind: 'observe' });
    expect(await bind(step, PAGE)).toEqual({ kind: 'begin', call: { tool: 'click', args: { id: '1' } } });
    expect(await bind(step, { ...PAGE, text: 'a chooser is open' })).toEqual({
      kind: 'call',
      call: { tool: 'choose', args: { paths: ['/home/b.txt', '/home/a.txt'] } },
    });
  }
});

test('a call that takes one file is impossible with two', async () => {
  const upload = { tool: 'upload', args: { id: '{{ref}}', path: '{{file}}' } };
  const bind = bindingOf(BindingFile.parse({ ...FILE, upload }), TABS, PATHS);
  expect(await bind({ ...UPLOAD, files: ['a.txt'] }, PAGE)).toMatchObject({ call: { args: { path: '/home/a.txt' } } });
  expect(await bind({ ...UPLOAD, files: ['a.txt', 'b.txt'] }, PAGE)).toMatchObject({ kind: 'impossible' });
});

const BINDING = BindingFile.parse({
  look: { tool: 'look' },
  elements: 'aria',
  click: { tool: 'click', args: { what: '{{name}}', target: '{{ref}}' } },
  fill: { tool: 'form', args: { fields: { '{{name}}': '{{text}}' } } },
  press: { tool: 'key', args: { key: '{{key}}' } },
});
const reply = (ok: boolean, text = '') => ({ ok, text, kind: ok ? 'text' : 'error' });

function classOf(report: TargetReport | null): string | null {
  if (report === null) return 'none';
  return 'untold' in report ? 'untold' : targetClass(report);
}

function targetsAfter(text: string): ServerTargets {
  const targets = new ServerTargets(BINDING);
  targets.reportOf({ tool: 'look', args: {} }, reply(true, text));
  return targets;
}

test.each([
  ['a reference that was shown, and a call that went through', 'click', { target: 'e1' }, true, 'resolved'],
  [
    'a reference that was shown, and a call that failed for reasons of the server',
    'click',
    { target: 'e1' },
    false,
    null,
  ],
  ['a reference that was made up', 'click', { target: 'e7' }, false, 'phantom'],
  ['one that was made up, of a tool that no step is bound to', 'hover', { target: 'e7' }, false, 'phantom'],
  ['a tool that names nothing', 'key', { key: 'Enter' }, true, 'none'],
  ['a tool that names a field otherwise than by a reference', 'form', { fields: { Name: 'Ada' } }, true, 'untold'],
  ['a tool that takes free text', 'evaluate', { function: '() => 1' }, true, 'untold'],
])('%s', (_what, tool, args, ok, expected) => {
  expect(classOf(targetsAfter('- button "Send" [ref=e1]').reportOf({ tool, args }, reply(ok)))).toBe(expected);
});

test('before anything was shown, every reference is a phantom', async () => {
  const targets = new ServerTargets(BINDING);
  expect(classOf(targets.reportOf({ tool: 'click', args: { target: 'e1' } }, reply(false)))).toBe('phantom');
});

test('a reference that is no longer shown is stale, and a reply without elements changes nothing', async () => {
  const targets = targetsAfter('- button "Send" [ref=e1]');
  targets.reportOf({ tool: 'key', args: { key: 'Enter' } }, reply(true, 'pressed'));
  expect(
    classOf(targets.reportOf({ tool: 'click', args: { target: 'e1' } }, reply(true, '- button "Next" [ref=e2]'))),
  ).toBe('resolved');
  expect(classOf(targets.reportOf({ tool: 'click', args: { target: 'e1' } }, reply(false)))).toBe('stale');
});

test('a field without a name has the label of the line before', () => {
  const labelled = elementsBy({
    elements: ['^\\[(?<ref>\\d+)\\] <(?<role>\\w+)>(?<name>.*)$'],
    labels: ['^- (?<name>.+)$', '^\\[\\d+\\] <label>(?<name>.+)$'],
  });
  expect(
    labelled('- Amount\n[1] <input>\n[2] <input>\n[3] <label>Colour\n[4] <select>\n- Note\n[5] <input>Own'),
  ).toEqual([
    { ref: '1', role: 'input', name: '', text: 'Amount' },
    { ref: '2', role: 'input', name: '' },
    { ref: '3', role: 'label', name: 'Colour' },
    { ref: '4', role: 'select', name: '', text: 'Colour' },
    { ref: '5', role: 'input', name: 'Own' },
  ]);
});

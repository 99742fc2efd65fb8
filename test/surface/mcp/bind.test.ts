import { expect, test } from 'vitest';
import { bindingOf } from '../../../src/surface/mcp/bind.ts';
import { BindingFile } from '../../../src/surface/mcp/binding-file.ts';

const FILE = BindingFile.parse({
  look: { tool: 'look', args: { page: '{{tab}}' } },
  elements: '^(?<ref>\\d+) (?<role>\\w+) "(?<name>.*)"$',
  click: { tool: 'click', args: { page: '{{tab}}', id: '{{ref}}', what: 'the {{role}} {{name}}' } },
  fill: { tool: 'type', args: { id: '{{ref}}', values: ['{{text}}'] } },
  switch_tab: { tool: 'tab', args: { index: '{{index}}' } },
  accept: { tool: 'dialog', args: { yes: true, words: '{{text}}' } },
});
const PAGE = {
  ok: true,
  kind: 'text',
  text: '1 button "Send"\n2 textbox "Send"\n3 button "Send"\nnot 4 button "Send"',
};

test('a step on an element takes the first that a line names, with what is in it', () => {
  const bind = bindingOf(FILE);
  expect(bind({ do: 'click', role: 'button', name: 'Send' }, PAGE)).toEqual({
    kind: 'call',
    call: { tool: 'click', args: { page: 1, id: '1', what: 'the button Send' } },
  });
  expect(bind({ do: 'fill', label: 'Send', text: 'a {{ref}} $1' }, PAGE)).toEqual({
    kind: 'call',
    call: { tool: 'type', args: { id: '2', values: ['a {{ref}} $1'] } },
  });
});

test('an element that is not shown has to be looked for', () => {
  const bind = bindingOf(FILE);
  const look = { kind: 'observe', call: { tool: 'look', args: { page: 1 } } };
  expect(bind({ do: 'click', role: 'link', name: 'Send' }, PAGE)).toEqual(look);
  expect(bind({ do: 'click', role: 'button', name: 'Send' }, null)).toEqual(look);
});

test('the tab that was chosen is the one that is meant from then on, in this session only', () => {
  const [one, other] = [bindingOf(FILE), bindingOf(FILE)];
  expect(one({ do: 'switch_tab', index: 2 }, null)).toEqual({
    kind: 'call',
    call: { tool: 'tab', args: { index: 2 } },
  });
  expect(one({ do: 'read' }, null)).toMatchObject({ call: { args: { page: 3 } } });
  expect(other({ do: 'read' }, null)).toMatchObject({ call: { args: { page: 1 } } });
});

test('what has no value is left out', () => {
  const bind = bindingOf(FILE);
  expect(bind({ do: 'dialog', action: 'accept' }, null)).toEqual({
    kind: 'call',
    call: { tool: 'dialog', args: { yes: true } },
  });
  expect(bind({ do: 'dialog', action: 'accept', text: 'Ada' }, null)).toMatchObject({
    call: { args: { words: 'Ada' } },
  });
});

test('a step that the file does not bind is impossible, and it is said which', () => {
  expect(bindingOf(FILE)({ do: 'press', key: 'Enter' }, null)).toEqual({
    kind: 'impossible',
    why: 'its file binds no "press"',
  });
  expect(bindingOf(null)({ do: 'read' }, null)).toMatchObject({ kind: 'impossible' });
});

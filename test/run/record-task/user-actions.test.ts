import { expect, test } from 'vitest';
import { UserActions, solutionFrom, type UserEvent } from '../../../src/run/record-task/user-actions.ts';

const AIMED = { isFirst: true, others: [], texts: [] };
const click = (name: string, byKey = false): UserEvent => ({ kind: 'click', role: 'button', name, byKey, ...AIMED });
const fill = (name: string, text: string, isSecret = false): UserEvent => {
  return { kind: 'fill', type: 'text', name, text, isSecret, ...AIMED };
};
const typed = (text: string, isSecret = false): UserEvent => ({ kind: 'typed', text, isSecret, texts: [] });
const enter: UserEvent = { kind: 'press', key: 'Enter', texts: [] };

function after(events: readonly UserEvent[], known: Record<string, string> = {}): UserActions {
  const actions = new UserActions({ known });
  for (const event of events) actions.took(event, 0);
  return actions;
}

const stepsOf = (actions: UserActions) => actions.all.map(({ step }) => step);

test('typing becomes one step for each field', () => {
  expect(stepsOf(after([fill('Name', 'A'), typed('Ad'), typed('Ada'), fill('Email', 'a')]))).toEqual([
    { do: 'fill', label: 'Name', text: 'Ada' },
    { do: 'fill', label: 'Email', text: 'a' },
  ]);
});

test('a key that presses a button is a click on it, and any other stays a key', () => {
  expect(stepsOf(after([enter, click('Send', true)]))).toEqual([{ do: 'click', role: 'button', name: 'Send' }]);
  expect(stepsOf(after([enter, click('Send')]))).toHaveLength(2);
});

test('a password is never kept: a credential of the suite replaces it, else a placeholder', () => {
  const events = [fill('Password', 't', true), typed('tulip-Harbour', true)];
  const unknown = after(events);
  expect(stepsOf(unknown)).toEqual([{ do: 'fill', label: 'Password', text: '${PASSWORD}' }]);
  expect([...unknown.typedSecrets]).toEqual(['tulip-Harbour']);
  const known = after(events, { SHOP_PASSWORD: 'tulip-Harbour' });
  expect(stepsOf(known)).toEqual([{ do: 'fill', label: 'Password', text: '${SHOP_PASSWORD}' }]);
});

test('an action in another tab follows a switch to it', () => {
  const actions = after([click('Open')]);
  actions.took(click('Accept'), 1);
  expect(stepsOf(actions)).toMatchObject([{ name: 'Open' }, { do: 'switch_tab', index: 1 }, { name: 'Accept' }]);
});

test('a step that means another element of the same name is marked as doubtful', () => {
  const [action] = after([
    { kind: 'click', role: 'button', name: 'Delete', byKey: false, ...AIMED, isFirst: false },
  ]).all;
  expect(action?.doubts).toEqual(['it is not the first of this name, and a step means the first']);
});

test('the next step and the end wait for new text, except for what was typed', () => {
  const next: UserEvent = { ...click('Next'), texts: ['Cart', 'Order 4711', 'Hello Ada', 'Your order'] };
  const actions = after([fill('Name', 'Ada'), next]);
  const steps = solutionFrom(actions.all, ['Cart'], ['Cart', 'Your order']);
  expect(steps.slice(1)).toEqual([
    { do: 'wait_for', text: 'Your order' },
    { do: 'click', role: 'button', name: 'Next' },
    { do: 'settle' },
  ]);
});

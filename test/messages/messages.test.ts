import { expect, test } from 'vitest';
import { fact, MESSAGES, messageFor, remedyOf } from '../../src/messages/messages.ts';

/** Each choice of a message in turn, with its other parameters shown by name. */
function renderings(text: string): string[] {
  const choice = /\{(\w+)((?:\|(?:[^{}|]|\{[^{}]*\})*)+)\}/.exec(text);
  if (choice === null) return [text.replaceAll(/\{(\w+)(?:=[^{}]*)?\}/g, '‹$1›')];
  const [whole, , choices = ''] = choice;
  const options = choices
    .slice(1)
    .split('|')
    .map((each) => each.slice(each.indexOf(':') + 1));
  return options.flatMap((option) => renderings(text.replace(whole, () => option)));
}

test('every message matches the golden file', async () => {
  const lines = Object.entries(MESSAGES).flatMap(([code, message]) => {
    const { text, remedy } = typeof message === 'string' ? { text: message, remedy: null } : message;
    return [
      `\`${code}\``,
      ...renderings(text).map((each) => `- ${each}`),
      ...(remedy === null ? [] : renderings(remedy).map((each) => `- → ${each}`)),
      '',
    ];
  });
  await expect(`# Messages\n\n${lines.join('\n')}`).toMatchFileSnapshot('messages.golden.md');
});

test('a fact is worded with its parameters', () => {
  const reason = fact('uneven_reruns', { points: 12, shares: ['a/aria: 1 of 9', 'b/aria: 2 of 9'] });
  expect(reason).toEqual({
    code: 'uneven_reruns',
    params: { points: 12, shares: ['a/aria: 1 of 9', 'b/aria: 2 of 9'] },
  });
  expect(messageFor(reason)).toBe(
    'the share of repeated attempts differs by 12 points between entrants: a/aria: 1 of 9, b/aria: 2 of 9',
  );
  expect(remedyOf(reason)).toBe('run the campaign once, without interrupting it');
});

test('a choice depends on the value of its parameter, and may hold others', () => {
  expect(messageFor(fact('not_judged', { all: true, count: 2, of: 2 }))).toBe(
    'in every episode, the final verdict is missing',
  );
  expect(messageFor(fact('not_judged', { all: false, count: 1, of: 2 }))).toBe(
    'in 1 of 2 episodes, the final verdict is missing',
  );
});

test('stored facts that this version does not know, or that are incomplete, are shown as they are', () => {
  expect(messageFor({ code: 'constructor', params: { a: 1 } })).toBe('constructor {"a":1}');
  expect(remedyOf({ code: 'unheard_of', params: {} })).toBeNull();
  expect(messageFor({ code: 'too_few_entrants', params: {} })).toBe('a comparison needs least entrants');
});

test('the compiler refuses a code without a message, and parameters that are not those of the message', () => {
  // @ts-expect-error no such message
  fact('unheard_of');
  // @ts-expect-error a parameter is missing
  fact('too_few_repetitions', { fewest: 1 });
  // @ts-expect-error the message has no such parameter
  fact('no_episodes', { count: 1 });
  expect(fact('no_episodes')).toEqual({ code: 'no_episodes', params: {} });
});

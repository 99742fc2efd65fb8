import { expect, test } from 'vitest';
import { CommandLog } from '../../../src/browser/gateway/command-log.ts';

function logOf(...methods: string[]): CommandLog {
  const log = new CommandLog();
  for (const method of methods) log.note(method, null);
  return log;
}

test('methods are listed with the most frequent first, and user input is counted', () => {
  const log = logOf('Page.enable', 'Input.insertText', 'Input.dispatchKeyEvent', 'Input.dispatchKeyEvent');
  const expected = { 'Input.dispatchKeyEvent': 2, 'Page.enable': 1, 'Input.insertText': 1 };
  expect(Object.entries(log.methods())).toEqual(Object.entries(expected));
  expect(log).toMatchObject({ commands: 4, inputs: 3, scriptSteps: [] });
});

test('an invalid name of a command, and any after a thousand of them, counts as others', () => {
  const letters = (n: number): string => String(n).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
  const log = logOf(
    '__proto__',
    'toString',
    'Page.',
    'sk-secret',
    ...Array.from({ length: 2_000 }, (_, n) => `A.${letters(n)}`),
  );
  const methods = log.methods();
  expect(Object.keys(methods)).toHaveLength(100);
  expect(methods['others']).toBe(2_004 - 99);
  expect(log.commands).toBe(2_004);
});

test('a refusal that is no violation is listed by its method', () => {
  const log = new CommandLog();
  const refusal = { isViolation: false };
  log.note('Page.waitForDebugger', refusal);
  log.note('Page.crash', { isViolation: true });
  log.note('Page.enable', null);
  expect(log.refused()).toEqual({ 'Page.waitForDebugger': 1 });
  expect(log.violations()).toEqual({ 'Page.crash': 1 });
});

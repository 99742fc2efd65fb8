import { expect, test } from 'vitest';
import { shortcutCalls } from '../../src/row/row-shortcuts.ts';

test.each([
  ['aria', 0],
  ['dom', 0],
  ['dom-one-shot', 0],
  ['nac3', 2],
  ['nac3-one-shot', 2],
  ['app-mcp', 4],
  ['webmcp', 4],
  ['playwright-mcp', null],
])('of these calls through %s, %s are a shortcut', (surface, expected) => {
  expect(shortcutCalls(surface, ['click', 'fill', 'invoke', 'click_by_verb'])).toBe(expected);
});

test('without a call there is none, and of a surface that nobody has checked that is not known either', () => {
  expect(shortcutCalls('aria', [])).toBe(0);
  expect(shortcutCalls('playwright-mcp', [])).toBeNull();
});

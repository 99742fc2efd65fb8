import { expect, test } from 'vitest';
import { withoutParentheses } from '../../../src/surface/nac3/safety.ts';

test.each([
  ['Total (EUR) now', 'Total  now'],
  ['a (b (c) d)', 'a  d)'],
  ['a) b (c', 'a) b (c'],
  ['none', 'none'],
])('%s is %s without them', (text, expected) => {
  expect(withoutParentheses(text)).toBe(expected);
});

test('parentheses that never close, however many, are read once', () => {
  const open = '('.repeat(1_000_000);
  expect(withoutParentheses(open)).toBe(open);
});

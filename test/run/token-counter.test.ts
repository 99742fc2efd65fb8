import { expect, test } from 'vitest';
import { loadTokenCounter } from '../../src/run/stage.ts';

const countTokens = await loadTokenCounter();

test('a text has as many tokens as o200k_base gives it', () => {
  expect(countTokens('')).toBe(0);
  expect(countTokens('hello world')).toBe(2);
});

test('what looks like a mark of the vocabulary is text', () => {
  expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
});

test('a run without end is counted all the same, and about as densely', () => {
  const [short, long] = [countTokens('a'.repeat(200)), countTokens('a'.repeat(400_000))];
  expect(long).toBe(short * 2_000);
});

import { expect, test } from 'vitest';
import { holdsMoreThan } from '../../src/browser/envelope.ts';

const NUMBERS: unknown[] = Array.from({ length: 1_000 }, () => 1);

test.each([
  ['numbers', NUMBERS, 1_001],
  ['objects', NUMBERS.map(() => ({ a: 1 })), 2_001],
  ['lists', NUMBERS.map(() => []), 2_001],
])('%s of a message are counted, but not those in its texts', (_what, value, values) => {
  const message = Buffer.from(JSON.stringify({ text: '[{,"\\'.repeat(1_000), value, '\\",\\\\': '\\' }));
  expect(holdsMoreThan(message, values + 3)).toBe(false);
  expect(holdsMoreThan(message, values)).toBe(true);
});

import { expect, test } from 'vitest';
import { printable } from '../../src/report/printable.ts';

test('control characters become visible', () => {
  expect(printable('a\u001b[31mb\r\n\u0007')).toBe('a␛[31mb␍␊␇');
});

test('characters that reorder text become visible', () => {
  expect(printable('abc\u202edef')).toBe('abc\\u202edef');
});

test('ordinary text stays as it is', () => {
  expect(printable('Größe 🙂 שלום')).toBe('Größe 🙂 שלום');
});

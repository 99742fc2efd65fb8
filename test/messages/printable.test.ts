import { expect, test } from 'vitest';
import { printable, printableLines } from '../../src/messages/printable.ts';

test('control characters become visible', () => {
  expect(printable('a\u001b[31mb\r\n\u0007')).toBe('a␛[31mb␍␊␇');
});

test('characters that reorder text become visible', () => {
  expect(printable('abc\u202edef\u061c')).toBe('abc\\u202edef\\u061c');
});

test('every line end becomes visible', () => {
  expect(printable('a\nb\u2028c\u0085d')).toBe('a␊b\\u2028c\\u0085d');
});

test('lines of our own stay lines', () => {
  expect(printableLines('one\u001b[2J\ntwo\r')).toBe('one␛[2J\ntwo␍');
});

test('ordinary text is unchanged', () => {
  expect(printable('Größe 🙂 שלום')).toBe('Größe 🙂 שלום');
});

test('JSON stays the JSON of the same value', () => {
  const value = { 'key\u009b': ['\u001b[2J\n', '\\\u202e\u2028', '\u007f"'] };
  const shown = printable(JSON.stringify(value));
  expect(shown).not.toMatch(/[\p{Cc}\u202e\u2028]/u);
  expect(JSON.parse(shown)).toEqual(value);
});

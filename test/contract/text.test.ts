import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normaliseText } from '../../src/contract/text.ts';

test('any run of white space becomes one space, and the ends lose theirs', () => {
  expect(normaliseText(' \n a \t\r\n b\u00a0\u2003c\u2028\u3000')).toBe('a b c');
});

test('letters and their combining marks compare as one character', () => {
  expect(normaliseText('e\u0301')).toBe('\u00e9');
});

test('characters that nobody can see are removed, and leave no space', () => {
  expect(normaliseText('or\u00adder\u200b \u200e12\ufeff34\u2066')).toBe('order 1234');
});

test('joiners are kept, as they make other words and other emoji', () => {
  expect(normaliseText('👩\u200d💻 می\u200cخواهم')).toBe('👩\u200d💻 می\u200cخواهم');
});

test('normalising twice is normalising once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), (one, two) => {
      const text = normaliseText(`${one} \u00ad ${two}`);
      expect(normaliseText(text)).toBe(text);
    }),
  );
});

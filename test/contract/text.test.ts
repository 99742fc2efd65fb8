import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseText } from '../../src/contract/strings.ts';

describe('the form of compared text', () => {
  it.each([
    ['runs of white space are one space', 'a \t\n\u00a0\u2009\u3000b', 'a b'],
    ['white space at the ends goes', '\u00a0 a ', 'a'],
    ['accents are composed', 'Cafe\u0301', 'Caf\u00e9'],
    ['direction marks go', '\u200e28\u200f/2', '28/2'],
    ['what an invisible character kept apart is composed', 'Cafe\u200b\u0301', 'Caf\u00e9'],
    ['the joiner that makes one emoji of two stays', '\u{1F469}\u200d\u{1F4BB}', '\u{1F469}\u200d\u{1F4BB}'],
    ['case, width and ligatures stay', 'A \uff21 \ufb01', 'A \uff21 \ufb01'],
  ])('%s', (_, text, expected) => {
    expect(normaliseText(text)).toBe(expected);
  });

  it('is final: normalising twice changes nothing more', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(' ', '\u00a0', '\u200b', '\u00ad', 'e', '\u0301', '\u2060', '\ufeff', '\u0327'),
    );
    const texts = fc.array(unit, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect(normaliseText(normaliseText(text))).toBe(normaliseText(text));
      }),
    );
  });
});

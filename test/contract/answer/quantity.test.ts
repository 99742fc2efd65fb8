import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decimal, isWithin, parseDecimal } from '../../../src/contract/answer/quantity.ts';

describe('parseDecimal', () => {
  it.each<[string, Decimal]>([
    ['330', { digits: 330n, exponent: 0 }],
    ['-0.25', { digits: -25n, exponent: -2 }],
    ['+1.5e3', { digits: 15n, exponent: 2 }],
    ['-0', { digits: 0n, exponent: 0 }],
    ['2E-7', { digits: 2n, exponent: -7 }],
  ])('%s', (text, expected) => {
    expect(parseDecimal(text)).toEqual(expected);
  });

  it.each(['', ' 1', '1 ', '.5', '5.', '1e', '1e1000', '1,000', '0x1', 'NaN', 'Infinity', '--1', '+-1', '1.2.3'])(
    'refuses %j',
    (text) => {
      expect(parseDecimal(text)).toBeNull();
    },
  );
});

describe('isWithin', () => {
  it('agrees with whole numbers, written with any exponents', () => {
    const written = fc.record({ value: fc.bigInt(-1000n, 1000n), zeros: fc.nat(5) });
    fc.assert(
      fc.property(written, written, fc.bigInt(0n, 500n), (a, b, tolerance) => {
        const difference = a.value > b.value ? a.value - b.value : b.value - a.value;
        expect(isWithin(shifted(a), shifted(b), decimal(tolerance, 0))).toBe(difference <= tolerance);
      }),
    );
  });

  it('does not round', () => {
    expect(isWithin(decimal(3n, -1), decimal(2n, -1), decimal(1n, -1))).toBe(true);
    expect(isWithin(decimal(300001n, -6), decimal(2n, -1), decimal(1n, -1))).toBe(false);
  });
});

function decimal(digits: bigint, exponent: number): Decimal {
  return { digits, exponent };
}

function shifted({ value, zeros }: { value: bigint; zeros: number }): Decimal {
  return decimal(value * 10n ** BigInt(zeros), -zeros);
}

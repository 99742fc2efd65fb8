/** A decimal number, held exactly: `digits` × 10^`exponent`. */
export interface Decimal {
  digits: bigint;
  exponent: number;
}

// At most three digits of exponent: what is written in a few characters must not take megabytes.
const PLAIN = /^([+-]?\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/** Reads digits with an optional sign, fraction and exponent, as JavaScript and JSON write numbers; null when it is none. */
export function parseDecimal(text: string): Decimal | null {
  const [, whole, fraction = '', power = '0'] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return null;
  return { digits: BigInt(`${whole.replace('+', '')}${fraction}`), exponent: Number(power) - fraction.length };
}

/** Whether two numbers are at most `tolerance` apart: exactly, without the rounding of binary fractions. */
export function isWithin(a: Decimal, b: Decimal, tolerance: Decimal): boolean {
  const exponent = Math.min(a.exponent, b.exponent, tolerance.exponent);
  const scaled = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent);
  const difference = scaled(a) - scaled(b);
  return (difference < 0n ? -difference : difference) <= scaled(tolerance);
}

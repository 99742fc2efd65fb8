import { normaliseText } from '../strings.ts';
import { LOCALES, type LocaleName, type NumberStyle } from './locale.ts';

/** `digits` × 10^`exponent`. */
export interface Decimal {
  digits: bigint;
  exponent: number;
}

// At most three digits of exponent, or a few characters could take megabytes.
const PLAIN = /^([+-]?\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/** Reads a number as JavaScript and JSON write it; null if it is not one. */
export function parseDecimal(text: string): Decimal | null {
  const [, whole, fraction = '', power = '0'] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return null;
  return { digits: BigInt(`${whole.replace('+', '')}${fraction}`), exponent: Number(power) - fraction.length };
}

/** Whether two numbers are at most `tolerance` apart, without the rounding of binary fractions. */
export function isWithin(a: Decimal, b: Decimal, tolerance: Decimal): boolean {
  const exponent = Math.min(a.exponent, b.exponent, tolerance.exponent);
  const scaled = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent);
  const difference = scaled(a) - scaled(b);
  return (difference < 0n ? -difference : difference) <= scaled(tolerance);
}

export interface Amount {
  amount: number;
  tolerance?: number | undefined;
  locale?: LocaleName | undefined;
}

/** Whether a text or JSON number is an amount, with a unit that `isUnit` accepts; an empty unit means that it has no unit. */
export function isAmount(
  given: string | number,
  { amount, tolerance = 0, locale = 'en' }: Amount,
  isUnit: (unit: string) => boolean,
): boolean {
  const [target, reach] = [parseDecimal(String(amount)), parseDecimal(String(tolerance))];
  if (target === null || reach === null) return false;
  return quantitiesIn(given, LOCALES[locale]).some(
    ({ number, unit }) => isUnit(unit) && isWithin(number, target, reach),
  );
}

interface Quantity {
  number: Decimal;
  unit: string;
}

/** A JSON number has no locale. A text that its locale does not read as a number is read as JSON writes them. */
function quantitiesIn(given: string | number, style: NumberStyle): Quantity[] {
  const text = normaliseText(String(given));
  const found = (typeof given === 'number' ? null : quantityIn(text, style)) ?? quantityIn(text, JSON_STYLE);
  return found === null ? [] : [found];
}

const JSON_STYLE: NumberStyle = { decimal: '.', groups: [] };

function quantityIn(text: string, style: NumberStyle): Quantity | null {
  const {
    sign = '',
    before = '',
    whole = '',
    fraction,
    power = '',
    after = '',
  } = patternOf(style).exec(text)?.groups ?? {};
  const digits = whole.replaceAll(/\D/g, '');
  const decimals = fraction === undefined ? '' : `.${fraction}`;
  const number = parseDecimal(`${sign === '\u2212' ? '-' : sign}${digits}${decimals}${power}`);
  if (number === null || (before !== '' && after !== '')) return null;
  return { number, unit: before === '' ? after : before };
}

const PATTERNS = new Map<NumberStyle, RegExp>();

/** A currency sign, or letters such as `US$` and `EUR`, may stand before the number, anything behind it. */
function patternOf(style: NumberStyle): RegExp {
  const known = PATTERNS.get(style);
  if (known !== undefined) return known;
  const grouped = style.groups.map((group) => String.raw`(?:[${group}]\d{3})+`).join('|');
  const groups = grouped === '' ? '' : String.raw`[1-9]\d{0,2}(?:${grouped})|`;
  const pattern = new RegExp(
    String.raw`^(?<sign>[+\-\u2212]?)(?<before>\p{Lu}*\p{Sc}?) ?(?<whole>${groups}\d+)(?:[${style.decimal}](?<fraction>\d+))?(?<power>(?:[eE][+\-]?\d{1,3})?) ?(?<after>(?![.,\d]|['’]\d).*)$`,
    'u',
  );
  PATTERNS.set(style, pattern);
  return pattern;
}

/** Signs and words of a currency besides its code. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  AUD: ['$', 'A$'],
  BRL: ['R$'],
  CAD: ['$', 'C$', 'CA$'],
  CNY: ['¥', 'yuan'],
  CZK: ['Kč'],
  DKK: ['kr'],
  EUR: ['€', 'euro', 'euros'],
  GBP: ['£', 'pounds'],
  HKD: ['$', 'HK$'],
  INR: ['₹', 'rupees'],
  JPY: ['¥', 'yen'],
  KRW: ['₩', 'won'],
  MXN: ['$', 'MX$'],
  NOK: ['kr'],
  NZD: ['$', 'NZ$'],
  PLN: ['zł'],
  SEK: ['kr'],
  SGD: ['$', 'S$'],
  USD: ['$', 'US$', 'dollars'],
};

export function isCurrency(unit: string, code: string): boolean {
  return unit.toUpperCase() === code || (SIGNS[code] ?? []).includes(unit);
}

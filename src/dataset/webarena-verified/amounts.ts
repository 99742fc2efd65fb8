import { dateIn } from '../../contract/answer/moment.ts';
import { looseText } from './loose-text.ts';

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
]);

/** Reads a number in digits, with or without commas, or in English words; null if the text holds anything else. */
export function numberIn(text: string): number | null {
  if (/^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+|(?=\.))(?:\.\d*)?(?:e[+-]?\d{1,3})?$/i.test(text))
    return Number(text.replaceAll(',', ''));
  return numberInWords(looseText(text).split(' '));
}

function numberInWords(words: readonly string[]): number | null {
  let [total, part, seen] = [0, 0, 0];
  for (const word of words) {
    const [one, ten, scale] = [ONES.indexOf(word), TENS.indexOf(word), SCALES.get(word)];
    // Two numbers in a row, such as "one two", are two answers.
    const isFree = part % 100 === 0 || (part % 100 >= 20 && part % 10 === 0 && one > 0 && one < 10);
    if (one >= 0 && isFree) part += one;
    else if (ten >= 0 && part % 100 === 0) part += 20 + 10 * ten;
    else if (word === 'hundred') part = Math.max(1, part) * 100;
    else if (scale !== undefined) [total, part] = [total + Math.max(1, part) * scale, 0];
    else if (word === 'and' && seen > 0) continue;
    else return null;
    seen += 1;
  }
  return seen === 0 ? null : total + part;
}

/** The amount of a price, with a sign or code of any currency, as `$1,234.50`, `€68,51` or `12 USD`. */
export function priceIn(text: string): number | null {
  const found =
    /^(-?)\s*(?:\p{Lu}{0,3}\p{Sc}|\p{Lu}{3})?\s*(-?)(\d[\d.,' ]*?)\s*(?:\p{Sc}|\p{Lu}{3}|dollars?)?$/iu.exec(text);
  if (found === null) return null;
  const [, before = '', after = '', digits = ''] = found;
  const plain = digits.replaceAll(/[' ]/g, '');
  const cut = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','));
  const isGroups = /^\d{1,3}(?:,\d{3})+$/.test(plain) || /^\d{1,3}(?:\.\d{3}){2,}$/.test(plain);
  const whole = (cut < 0 || isGroups ? plain : plain.slice(0, cut)).replaceAll(/[.,]/g, '');
  const amount = Number(`${whole}.${cut < 0 || isGroups ? '0' : plain.slice(cut + 1)}`);
  return Number.isNaN(amount) ? null : before === '' && after === '' ? amount : -amount;
}

const SECONDS: readonly (readonly [RegExp, number])[] = [
  [/^w(?:eeks?|ks?)?$/, 604_800],
  [/^d(?:ays?)?$/, 86_400],
  [/^h(?:ours?|rs?)?$/, 3_600],
  [/^m(?:in(?:ute)?s?)?$/, 60],
  [/^s(?:ec(?:ond)?s?)?$/, 1],
];

/** Seconds of `5h 47min`, `1 hour, 3 minutes`, `4:13` (minutes) or `2:30 hours`. A number without a unit is refused. */
export function durationIn(text: string): number | null {
  const plain = looseText(text);
  const clock = /^(\d+):(\d{2})(?::(\d{2}(?:\.\d+)?))?(?: ?hours?)?$/.exec(plain);
  if (clock !== null) {
    const [, first, second, third] = clock;
    const isHours = third !== undefined || plain.endsWith('r') || plain.endsWith('s');
    return isHours
      ? Number(first) * 3_600 + Number(second) * 60 + Number(third ?? 0)
      : Number(first) * 60 + Number(second);
  }
  if (!/^(?:\d+(?:\.\d+)? ?[a-z]+,? ?(?:and[ ])?)+$/.test(plain)) return null;
  const parts = [...plain.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/g)].map(([, count, unit = '']) => {
    const size = SECONDS.find(([names]) => names.test(unit))?.[1];
    return size === undefined ? Number.NaN : Number(count) * size;
  });
  const total = parts.reduce((sum, each) => sum + each, 0);
  return Number.isNaN(total) ? null : total;
}

const METRES: readonly (readonly [RegExp, number])[] = [
  [/^k(?:m|ilomet(?:er|re)s?)?$/, 1_000],
  [/^m(?:et(?:er|re)s?)?$/, 1],
  [/^c(?:m|entimet(?:er|re)s?)$/, 0.01],
  [/^mi(?:les?)?$/, 1_609.344],
  [/^y(?:d|ards?)$/, 0.9144],
  [/^f(?:t|oot|eet)$/, 0.3048],
  [/^in(?:ch(?:es)?)?$/, 0.0254],
];

/** Metres of `914km`, `0.46 mi` or `2,200 m`. */
export function distanceIn(text: string): number | null {
  const [, digits = '', unit = ''] = /^(\d[\d,]*(?:\.\d+)?) ?([a-z]+)\.?$/.exec(looseText(text)) ?? [];
  const size = METRES.find(([names]) => names.test(unit))?.[1];
  return size === undefined ? null : Number(digits.replaceAll(',', '')) * size;
}

/** A date with the month first; with the day first only if it cannot be a month. */
export function dayIn(text: string): string | null {
  const spaced = text.replaceAll(/,(?=\S)/g, ', ');
  return dateIn(spaced, 'en-US') ?? dateIn(spaced, 'en-GB');
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH_NAMES =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?(?: \d{4})?$/;

/** A month from 1 to 12, by its number or its name. */
export function monthIn(text: string): number | null {
  const plain = looseText(text);
  if (/^\d{1,2}$/.test(plain)) return Number(plain) >= 1 && Number(plain) <= 12 ? Number(plain) : null;
  return MONTH_NAMES.test(plain) ? 1 + MONTHS.indexOf(plain.slice(0, 3)) : null;
}

import { comparedText } from './text.ts';
import { dateIn } from './moment.ts';

const SWAPS: readonly (readonly [from: RegExp, to: string])[] = [
  [/'/g, '\u2019'],
  [/[\u2018\u2019]/g, "'"],
  [/"([^"]*)"/g, '\u201C$1\u201D'],
  [/[\u201C\u201D]/g, '"'],
  [/-/g, '\u2011'],
  [/[\u2010-\u2015]/g, '-'],
  [/\.\.\./g, '\u2026'],
  [/\u2026/g, '...'],
  [/ /g, '\u00A0'],
];

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Other ways to write an answer that mean the same to a reader; empty for a JSON list or map. */
export function spellingsOf(value: string | number): string[] {
  const text = comparedText(String(value), { exact: true });
  if (/^[[{]/.test(text)) return [];
  const swapped = SWAPS.map(([from, to]) => text.replaceAll(from, to));
  return [...new Set([...swapped, ...numberSpellings(text), ...dateSpellings(text)])].filter((each) => each !== text);
}

/** A number with more than one digit before its groups, such as 4711, may be a year or a name; it is tried as well. */
function numberSpellings(text: string): string[] {
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return [text.replaceAll(',', '')];
  const [, whole = '', fraction = ''] = /^([1-9]\d{3,})(\.\d+)?$/.exec(text) ?? [];
  return whole === '' ? [] : [`${whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')}${fraction}`];
}

function dateSpellings(text: string): string[] {
  const date = dateIn(text);
  if (date === null) return [];
  const [year = '', month = '', day = ''] = date.split('-');
  const name = MONTHS[Number(month) - 1] ?? '';
  return [date, `${Number(day)} ${name} ${year}`, `${name} ${Number(day)}, ${year}`];
}

import { sameText } from './text.ts';
import { LOCALES, type LocaleName } from './locale.ts';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

const YEAR_FIRST = /^(?<y>\d{4})[-/.](?<m>\d{1,2})[-/.](?<d>\d{1,2})$/;
const DIGITS = {
  dmy: /^(?<d>\d{1,2})[-/.] ?(?<m>\d{1,2})[-/.] ?(?<y>\d{4})$/,
  mdy: /^(?<m>\d{1,2})[-/.](?<d>\d{1,2})[-/.](?<y>\d{4})$/,
};
const WEEKDAY = String.raw`^(?:(?<weekday>[a-z]{3,9})\.?,? )?`;
const DAY = String.raw`(?<d>\d{1,2})(?:st|nd|rd|th)?`;
const WORDS = [
  new RegExp(String.raw`${WEEKDAY}${DAY}\.? (?:of )?(?<month>[a-z]{3,9})\.?,? (?<y>\d{4})$`),
  new RegExp(String.raw`${WEEKDAY}(?<month>[a-z]{3,9})\.? ${DAY},? (?<y>\d{4})$`),
];

/** Reads a date as ISO 8601 writes it; null if there is not one, or if it could be read in two ways. */
export function dateIn(given: string, locale: LocaleName = 'en'): string | null {
  const text = sameText(given).toLowerCase();
  const { dates } = LOCALES[locale];
  const forms = [YEAR_FIRST, ...(dates === null ? [] : [DIGITS[dates]]), ...WORDS];
  const found = forms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined);
  if (found === undefined) return null;
  const { y, m, d, month, weekday } = found;
  const [year, day] = [Number(y), Number(d)];
  const number = month === undefined ? Number(m) : 1 + indexOf(MONTHS, month);
  const date = new Date(0);
  date.setUTCFullYear(year, number - 1, day);
  const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === number - 1 && date.getUTCDate() === day;
  if (!isReal || (weekday !== undefined && indexOf(DAYS, weekday) !== date.getUTCDay())) return null;
  return date.toISOString().slice(0, 10);
}

/** Accepts a name whole or by its first three letters. */
function indexOf(names: readonly string[], name: string): number {
  return names.findIndex((each) => each === name || each.slice(0, 3) === name);
}

/** Also the form of `time` in a contract. */
interface Moment {
  date: string | null;
  /** Since midnight. */
  seconds: number;
  /** East of UTC, in minutes. */
  zone: number | null;
}

const TIME =
  /(?:^|t|,? at |,? )(?<h>\d{1,2})(?::(?<min>\d{2}))?(?::(?<s>\d{2}))?(?: ?(?<half>[ap])\.?m\.?)?(?: ?(?<zone>z|(?:utc|gmt)?[+-]\d{1,2}(?::?\d{2})?|utc|gmt))?$/;

export function momentIn(given: string, locale: LocaleName = 'en'): Moment | null {
  const text = sameText(given).toLowerCase();
  const match = TIME.exec(text);
  if (match === null) return null;
  const { h, min, s = '0', half, zone } = match.groups ?? {};
  const [hours, minutes, seconds] = [Number(h), Number(min ?? '0'), Number(s)];
  if (half === undefined ? min === undefined : hours === 0 || hours > 12) return null;
  if (hours > 23 || minutes > 59 || seconds > 59) return null;
  const written = text.slice(0, match.index);
  const date = written === '' ? null : dateIn(written, locale);
  if (written !== '' && date === null) return null;
  const hour = half === undefined ? hours : (hours % 12) + (half === 'p' ? 12 : 0);
  return { date, seconds: hour * 3600 + minutes * 60 + seconds, zone: zoneIn(zone) };
}

function zoneIn(zone: string | undefined): number | null {
  if (zone === undefined) return null;
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Whether a text is a moment. Without a zone it is read in the one that is wanted; a time of day has no date. */
export function isMoment(given: string, time: string, locale?: LocaleName): boolean {
  const [wanted, found] = [momentIn(time), momentIn(given, locale)];
  if (wanted === null || found === null) return false;
  if ((wanted.date === null) !== (found.date === null)) return false;
  if (wanted.zone === null) return found.zone === null && sinceEpoch(wanted, 0) === sinceEpoch(found, 0);
  return sinceEpoch(wanted, wanted.zone) === sinceEpoch(found, found.zone ?? wanted.zone);
}

function sinceEpoch({ date, seconds }: Moment, zone: number): number {
  const total = seconds - zone * 60;
  return date === null ? ((total % 86_400) + 86_400) % 86_400 : Date.parse(`${date}T00:00:00Z`) / 1000 + total;
}

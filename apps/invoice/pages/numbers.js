const MARKS = { es: { group: '.', decimal: ',' }, en: { group: ',', decimal: '.' } };
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** An amount with two decimals, whatever the machine's own language: `1.234,50`, or `1,234.50` in English. */
export function amount(value, language) {
  const { group, decimal } = MARKS[language];
  const [whole, cents] = value.toFixed(2).split('.');
  return `${whole.replaceAll(/\B(?=(\d{3})+$)/g, group)}${decimal}${cents}`;
}

/** A date that was `2026-05-18`: `18/05/2026`, or `18 May 2026` in English. */
export function date(iso, language) {
  const [year, month, day] = iso.split('-');
  return language === 'es' ? `${day}/${month}/${year}` : `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/**
 * What someone typed as a number, in either language; null when it is none. Three digits after a mark are a group, one
 * or two after the last mark are decimals.
 */
export function numberIn(text) {
  const parts = /^(\d{1,3}(?:[.,]\d{3})+|\d+)(?:[.,](\d{1,2}))?$/.exec(text.trim());
  return parts === null ? null : Number(`${parts[1].replaceAll(/[.,]/g, '')}.${parts[2] ?? '0'}`);
}

import { z } from 'zod';

export interface NumberStyle {
  decimal: string;
  /** Characters between groups of three digits; one number uses one of them. */
  groups: readonly string[];
}

interface Locale extends NumberStyle {
  /** The order of a date in digits, such as 2/5/2031; null where it could be read in two ways. */
  dates: 'dmy' | 'mdy' | null;
}

const POINT = { decimal: '.', groups: [',', ' '] } as const;
const COMMA = { decimal: ',', groups: ['.', ' '], dates: 'dmy' } as const;

/** Written out here, since the tables of a JavaScript engine change with its version and verdicts may not. */
export const LOCALES = {
  en: { ...POINT, dates: null },
  'en-GB': { ...POINT, dates: 'dmy' },
  'en-US': { ...POINT, dates: 'mdy' },
  de: COMMA,
  'de-CH': { decimal: '.', groups: ["'’", ' '], dates: 'dmy' },
  es: COMMA,
  fr: COMMA,
  it: COMMA,
  nl: COMMA,
  pl: COMMA,
  pt: COMMA,
  sv: COMMA,
} as const satisfies Record<string, Locale>;

export const LocaleName = z.enum(['en', 'en-GB', 'en-US', 'de', 'de-CH', 'es', 'fr', 'it', 'nl', 'pl', 'pt', 'sv']);
export type LocaleName = z.infer<typeof LocaleName>;

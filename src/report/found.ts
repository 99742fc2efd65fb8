import type { Row } from '../bundle/row.ts';

/** What a row has of something expected or observed. */
export type Found = NonNullable<Row['failed_contract']>['observed'];

/** What an assertion expected or observed, as text: that of the preview where there is one. Null when it saw nothing. */
export function foundText(value: Found): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'object' && 'preview' in value && typeof value.preview === 'string') return value.preview;
  return JSON.stringify(value);
}

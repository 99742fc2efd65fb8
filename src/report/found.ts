import type { Row } from '../bundle/row.ts';

/** An expected or observed value, as a row has it. */
export type ObservedInRow = NonNullable<Row['failed_contract']>['observed'];

/** Return what an assertion expected or observed, as text: that of the preview where there is one. Null when it saw nothing. */
export function foundText(value: ObservedInRow): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'object' && 'preview' in value && typeof value.preview === 'string') return value.preview;
  return JSON.stringify(value);
}

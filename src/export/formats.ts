import type { ExportFormat } from './exported-bundle.ts';
import { JSONL, PARQUET } from './table.ts';

/** The formats of `touchstone export`, by name. */
export const FORMATS = { parquet: PARQUET, jsonl: JSONL } satisfies Record<string, ExportFormat>;

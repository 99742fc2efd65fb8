import type { ExportFormat } from './exported-bundle.ts';
import { HAR } from './har.ts';
import { INSPECT } from './inspect.ts';
import { OTEL } from './otel.ts';
import { JSONL, PARQUET } from './table.ts';

/** The formats of `touchstone export`, by name. */
export const FORMATS = {
  parquet: PARQUET,
  jsonl: JSONL,
  inspect: INSPECT,
  har: HAR,
  otel: OTEL,
} satisfies Record<string, ExportFormat>;

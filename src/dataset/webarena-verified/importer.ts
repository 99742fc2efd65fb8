import { defineImporter } from '../importer.ts';
import { VerifiedRow } from './rows.ts';

export const ROWS_FILE = 'assets/dataset/webarena-verified.json';

/** Rows whose checks the judge knows; others are malformed. */
export const WEBARENA_VERIFIED = defineImporter({
  name: 'webarena-verified',
  repository: 'https://github.com/ServiceNow/webarena-verified',
  licence: 'Apache-2.0',
  version: 1,
  files: [ROWS_FILE],
  schema: VerifiedRow,
  task: ({ task_id: id, intent, start_urls, eval: checks }) => ({
    id: String(id),
    goal: intent,
    start_urls,
    standing: 'deterministic here',
    upstream: checks.map(({ evaluator }) => evaluator),
  }),
});

import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const ReportOptions = Options.pick({ since: true, to: true, junit: true, json: true });
export type ReportOptions = z.output<typeof ReportOptions>;

export const report = defineCommand({
  name: 'report',
  args: '<bundle...>',
  group: 'judge',
  summary: 'Draw reports again; tables over several bundles',
  about:
    'Draw the reports of a bundle again from its rows, if its records verify. With several bundles, --since or --to, draw tables over all of them.',
  options: ReportOptions,
  examples: [
    'touchstone report bundles/20260101T120000-basics',
    'touchstone report bundles/20260101T120000-basics --junit junit.xml',
    'touchstone report bundles/monday bundles/tuesday --since 2026-05-19T23',
    'touchstone report bundles/monday bundles/tuesday --to reports',
  ],
  run: async (request, terminal) => (await import('../actions/report.ts')).report(request, terminal),
});

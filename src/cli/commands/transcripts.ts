import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const TranscriptsOptions = Options.pick({ agent: true, surface: true, accept: true, baseline: true });
export type TranscriptsOptions = z.output<typeof TranscriptsOptions>;

export const transcripts = defineCommand({
  name: 'transcripts',
  args: '<bundle> [suites...]',
  group: 'write',
  summary: 'Keep what an agent did as transcripts of a suite',
  about:
    'Compare what an agent did in a bundle where it passed with the transcripts of the suite. Writes only with --accept.',
  options: TranscriptsOptions,
  examples: [
    'touchstone transcripts bundles/20260101T120000-basics',
    'touchstone transcripts bundles/20260101T120000-basics --surface playwright-mcp --accept',
    'touchstone transcripts bundles/20260101T120000-basics --accept --baseline suites/basics/baseline.json',
    'touchstone transcripts /tmp/bundle ./my-suite --accept',
  ],
  run: async (request, terminal) => (await import('../actions/transcripts.ts')).transcripts(request, terminal),
});

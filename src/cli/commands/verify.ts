import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';
import { numeric } from '../planning-options.ts';

const VerifyOptions = Options.pick({ anchor: true, signer: true, rerun: true, json: true }).extend({
  seed: numeric(z.int()).optional().meta({
    flags: '--seed <number>',
    help: 'with --rerun: draw this part again (default: drawn at random, and printed)',
  }),
});
export type VerifyOptions = z.output<typeof VerifyOptions>;

export const verify = defineCommand({
  name: 'verify',
  args: '<bundle> [suites...]',
  group: 'judge',
  summary: 'Check everything in a bundle, without trust or network',
  about:
    'Verify a bundle without trust or network: every byte, row, verdict, figure and decision on eligibility; name each record that is wrong. With --rerun, run a part of it again and compare.',
  options: VerifyOptions,
  examples: [
    'touchstone verify bundles/20260101T120000-basics',
    'touchstone verify bundles/mine --anchor a09f5a3e3f8d1c0d5f3504f9bceb35d93df9b4b0f6454b8629b481e4490eca47',
    'touchstone verify bundles/20260101T120000-basics --rerun 5%',
    'touchstone verify bundles/mine ./my-suite --rerun 10% --seed 7',
  ],
  run: async (request, terminal) => (await import('../actions/verify.ts')).verify(request, terminal),
});

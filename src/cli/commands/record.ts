import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const RecordOptions = Options.pick({ pages: true, connectTo: true, facsimile: true, accept: true }).extend({
  out: z
    .string()
    .regex(/\.zip$/i, 'must end in .zip')
    .optional()
    .meta({ flags: '-o, --out <file>', help: "where the archive goes (default: the suite's own)" }),
});
export type RecordArguments = z.output<typeof RecordOptions>;

export const record = defineCommand({
  name: 'record',
  args: '<suite>',
  group: 'write',
  summary: 'Record the web that a suite needs',
  about:
    'Record the web that a suite needs, by following its solutions, its near-misses and the links beside them, or pack stand-in pages.',
  options: RecordOptions,
  examples: [
    'touchstone record ./my-suite',
    'touchstone record ./my-suite --facsimile ./my-suite/pages --accept',
    'touchstone record ./my-suite --connect-to docs.example.com:443:127.0.0.1:8443',
  ],
  run: async (request, terminal) => (await import('../actions/record.ts')).record(request, terminal),
});

import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const SurfaceOptions = Options.pick({ json: true });
export type SurfaceOptions = z.output<typeof SurfaceOptions>;

export const surface = defineCommand({
  name: 'surface',
  args: '<action> <file>',
  group: 'write',
  summary: 'Try the file of a tool server on a page of ours',
  about:
    'try: open a page of ours through the tool server of a file; print its tools, what "look" replies, which lines "elements" matches, and what each bound step does to the page. Write "id" and "command" first, then the binding, step by step.',
  words: ['try'],
  options: SurfaceOptions,
  examples: ['touchstone surface try ./my-server.yaml', 'touchstone surface try ./my-server.yaml --json'],
  run: async (request, terminal) => (await import('../actions/surface.ts')).surface(request, terminal),
});

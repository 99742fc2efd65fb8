import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const SurfaceOptions = Options.pick({ json: true });
export type SurfaceOptions = z.output<typeof SurfaceOptions>;

export const surface = defineCommand({
  name: 'surface',
  args: '<action> <file>',
  group: 'write',
  summary: 'Try the file of a tool server on a test page',
  about:
    'try: open a test page through the tool server that a file describes; print its tools, the reply to "look", the lines that "elements" matches, and what each bound step does to the page. Write "id" and "command" first, then the binding, step by step.',
  words: ['try'],
  options: SurfaceOptions,
  examples: ['touchstone surface try ./my-server.yaml', 'touchstone surface try ./my-server.yaml --json'],
  run: async (request, terminal) => (await import('../actions/surface.ts')).surface(request, terminal),
});

import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const ListOptions = Options.pick({ json: true });
export type ListOptions = z.output<typeof ListOptions>;

export const list = defineCommand({
  name: 'list',
  args: '[suites...]',
  group: 'run',
  summary: 'List suites, tasks, agents and surfaces',
  about: 'List suites with their tasks, agents and surfaces.',
  options: ListOptions,
  run: async (request, terminal) => (await import('../actions/list.ts')).list(request, terminal),
});

import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const AppsOptions = Options.pick({ json: true });
export type AppsOptions = z.output<typeof AppsOptions>;

export const apps = defineCommand({
  name: 'apps',
  args: '<action> [names...]',
  group: 'program',
  summary: 'Install or list the real applications of suites',
  about:
    'install: put the pinned versions of real applications, all or those named, into the cache; list: show which there are, and which are installed.',
  words: ['install', 'list'],
  options: AppsOptions,
  examples: ['touchstone apps list', 'touchstone apps install', 'touchstone apps install tiddlywiki'],
  run: async (request, terminal) => (await import('../actions/apps.ts')).apps(request, terminal),
});

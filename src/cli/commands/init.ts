import { z } from 'zod';
import { defineCommand } from '../command.ts';

const PathOnSite = z.string().startsWith('/', 'must begin with a slash, such as /health');

/** Each names the answer to one question. */
const InitOptions = z.object({
  app: z.string().min(1).optional().meta({
    flags: '--app <app>',
    help: 'your app: a command that starts its server, the address of one that is running, or a folder of files',
  }),
  ready: PathOnSite.optional().meta({
    flags: '--ready <path>',
    help: 'a path that a started app answers with success once it is ready',
    shown: '/',
  }),
  state: PathOnSite.optional().meta({
    flags: '--state <path>',
    help: 'a path at which a started app returns its state as JSON, only for the judge',
  }),
  reset: z.string().min(1).optional().meta({
    flags: '--reset <command>',
    help: 'a command that resets a running app before each episode',
  }),
  language: z.enum(['node', 'python']).optional().meta({
    flags: '--language <language>',
    help: 'the language of your agent: node or python',
    shown: 'node',
  }),
  yes: z.boolean().default(false).meta({
    flags: '-y, --yes',
    help: 'ask nothing: without other options, the app is a small page and the agent is in Node',
  }),
});
export type InitOptions = z.output<typeof InitOptions>;

export const init = defineCommand({
  name: 'init',
  args: '[folder]',
  group: 'run',
  summary: 'Start with an app and an agent of your own',
  about:
    'Write everything needed to measure your agent on your app: a suite with one task, an agent, a campaign that "touchstone run" finds, and a workflow for CI. It asks what your app is and in which language your agent is written; a question that an option answers is not asked. Nothing is overwritten. Without a folder, write into the current one if it has nothing but what npm and git put there, else into "touchstone". If a suite is already there, only missing files are written, such as the workflow.',
  options: InitOptions,
  examples: [
    'touchstone init',
    'touchstone init ./bench --yes',
    'touchstone init --yes --app "python3 app.py {{port}}" --ready /health --state /__state --language python',
  ],
  run: async (request, terminal) => (await import('../actions/init.ts')).init(request, terminal),
});

import { z } from 'zod';
import { Id } from '../../task/instance.ts';
import { defineCommand } from '../command.ts';
import { EndpointValue } from '../planning-options.ts';
import { Options } from '../options.ts';

const RecordTaskOptions = Options.pick({ accept: true }).extend({
  browserEndpoint: EndpointValue.optional().meta({
    flags: '--browser-endpoint <url>',
    help: 'record in a browser that is already running, at this debugging address',
  }),
  accept: Options.shape.accept.meta({ flags: '--accept', help: 'replace a task that has this id' }),
  goal: z.string().regex(/\S/, 'is empty').optional().meta({
    flags: '-g, --goal <text>',
    help: 'what agents are asked to do; else it is asked for on the terminal',
  }),
  answer: z.string().regex(/\S/, 'is empty').optional().meta({
    flags: '--answer <text>',
    help: 'the answer that the goal asks for, if it asks for one',
  }),
  id: Id.optional().meta({
    flags: '--id <id>',
    help: 'id and file name of the task (default: taken from the goal)',
  }),
  qualify: z.boolean().default(true).meta({
    flags: '--no-qualify',
    help: 'write the task, and leave it to you to qualify it',
  }),
  out: z
    .string()
    .min(1)
    .default('bundles')
    .meta({ flags: '-o, --out <folder>', help: 'where the bundle of the trials goes', shown: 'bundles' }),
});
export type RecordTaskArguments = z.output<typeof RecordTaskOptions>;

export const recordTask = defineCommand({
  name: 'record-task',
  args: '<url> [suite]',
  group: 'write',
  summary: 'Write a task by doing it in a browser',
  about:
    'Open a page of a suite (by default, of the suite in the current folder) in a browser window and record what you do there as a solution. What changed becomes a proposal for the contract, its guards and near-misses; the task is written into the suite and qualified.',
  options: RecordTaskOptions,
  examples: [
    'touchstone record-task http://basics.localhost/contact ./my-suite --id send-form',
    'touchstone record-task /loans ./my-suite',
    'touchstone record-task http://localhost:3000/',
  ],
  run: async (request, terminal) => (await import('../actions/record-task.ts')).recordTaskAction(request, terminal),
});

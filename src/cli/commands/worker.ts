import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { WorkersValue } from '../planning-options.ts';
import { Options } from '../options.ts';

const WorkerOptions = Options.pick({
  queue: true,
  store: true,
  browserEndpoint: true,
  lostAfter: true,
  idle: true,
  agent: true,
  surface: true,
  fault: true,
  liveWeb: true,
  cassette: true,
  prompt: true,
}).extend({
  workers: WorkersValue.default(1).meta({
    flags: '-w, --workers <count>',
    help: 'how many episodes run at once here: a number, or auto for as many as cores and memory allow',
    shown: '1',
  }),
});
export type WorkerOptions = z.output<typeof WorkerOptions>;

export const worker = defineCommand({
  name: 'worker',
  args: '[suites...]',
  group: 'run',
  summary: 'Run episodes on this machine for a run --queue elsewhere',
  about:
    'On this machine, run episodes of the campaigns that "touchstone run --queue" coordinates, until Ctrl-C. Your own suites, agents and surfaces, and the live web, have to be named here too.',
  options: WorkerOptions,
  examples: [
    'touchstone worker --queue redis://127.0.0.1:6379',
    'touchstone worker --queue redis://127.0.0.1:6379 --workers 4 --idle 60',
    'touchstone worker --queue redis://127.0.0.1:6379 --browser-endpoint http://127.0.0.1:9222',
    'touchstone worker ./my-suite --queue rediss://queue.example:6380 --store s3://evidence/touchstone',
  ],
  run: async (request, terminal) => (await import('../actions/worker.ts')).worker(request, terminal),
});

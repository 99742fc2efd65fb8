import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';
import { PlanningOptions } from '../planning-options.ts';

const PlanOptions = PlanningOptions.extend(
  Options.pick({ basis: true, workers: true, times: true, claims: true, json: true }).shape,
);
export type PlanOptions = z.output<typeof PlanOptions>;

export const plan = defineCommand({
  name: 'plan',
  args: '[suites...]',
  group: 'run',
  summary: 'Show what a run would do and cost, without running it',
  about:
    'Show what a run would cost, how long it would take, what it would run and in which order, and the hash of its plan. With --claims, also what of it could be claimed, and each reason against more. Nothing runs.',
  options: PlanOptions,
  examples: [
    'touchstone plan --campaign campaigns/protocol-600.yaml',
    'touchstone plan basics --agent reference,null -n 5 --json',
  ],
  run: async (request, terminal) => (await import('../actions/plan.ts')).plan(request, terminal),
});

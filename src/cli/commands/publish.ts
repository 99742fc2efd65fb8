import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';

const PublishOptions = Options.pick({ to: true, json: true });
export type PublishOptions = z.output<typeof PublishOptions>;

export const publish = defineCommand({
  name: 'publish',
  args: '<bundle>',
  group: 'share',
  summary: 'Write the scores of a campaign, and their limits',
  about:
    'Write the scores of a finished campaign, with what they may be used for, to <folder>/<git-sha>.md and .json. They are named after the commit of Touchstone, so the campaign must have been run from a clone, and not with an installed package.',
  options: PublishOptions,
  examples: ['touchstone publish bundles/20260101T120000-webvoyager --to reports'],
  run: async (request, terminal) => (await import('../actions/publish.ts')).publish(request, terminal),
});

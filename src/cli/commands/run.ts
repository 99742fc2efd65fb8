import type { z } from 'zod';
import { defineCommand } from '../command.ts';
import { Options } from '../options.ts';
import { PlanningOptions } from '../planning-options.ts';

const RunOptions = PlanningOptions.extend(
  Options.pick({
    workers: true,
    times: true,
    queue: true,
    store: true,
    browserEndpoint: true,
    out: true,
    baseline: true,
    shard: true,
    resume: true,
    verbose: true,
    json: true,
    claim: true,
    yes: true,
  }).shape,
);
export type RunOptions = z.output<typeof RunOptions>;

export const run = defineCommand({
  name: 'run',
  args: '[suites...]',
  group: 'run',
  summary: 'Run agents on tasks, judge them, leave a bundle',
  about: 'Run agents through surfaces on the tasks of suites, judge them, and leave a bundle.',
  options: RunOptions,
  examples: [
    'touchstone run basics --agent reference,null,parrot',
    'touchstone run basics --task example-h1 --agent transcript --verbose',
    'touchstone run ./my-suite --out /tmp/bundle -n 5',
    'touchstone run --resume bundles/20260101T120000-basics',
    'touchstone run basics --agent transcript --baseline suites/basics/baseline.json',
    'touchstone run basics --agent reference,null,parrot -n 5 --workers 2',
    'touchstone run basics --surface aria,playwright-mcp,./my-server.yaml',
    'touchstone run basics --agent ./my-agent.mjs',
    'touchstone run basics --task example-h1 --agent claude-sonnet-4-6 --record-cassette ./cassettes',
    'touchstone run basics --task example-h1 --agent gpt-4o-mini --surface aria,aria:one-shot --prompt brief',
    'touchstone run basics --agent openai-compatible:qwen3',
    'touchstone run --resume /tmp/bundle ./my-suite',
    'touchstone run --campaign campaigns/protocol-600.yaml',
    'touchstone run basics -n 10 --shard 2/3 --out /tmp/part-2',
    'touchstone run --campaign campaigns/first-claim.yaml --claim',
    'touchstone run basics -n 100 --queue redis://127.0.0.1:6379',
  ],
  run: async (request, terminal) => {
    const { whileWaiting } = await import('../live/progress-display.ts');
    const action = request.options.json ? await load() : await whileWaiting('starting', terminal, load);
    return await action.run(request, terminal);
  },
});

async function load() {
  return await import('../actions/run.ts');
}

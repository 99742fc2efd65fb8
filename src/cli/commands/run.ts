import { z } from 'zod';
import { defineCommand, type CommandSpec } from '../command.ts';
import { Options } from '../options.ts';
import { PlanningOptions, WorkersValue } from '../planning-options.ts';

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
    watch: true,
    verbose: true,
    json: true,
    claim: true,
    yes: true,
  }).shape,
);
export type RunOptions = z.output<typeof RunOptions>;

export const RUN = defineCommand({
  name: 'run',
  args: '[suites...]',
  summary: 'Run agents on tasks, judge them, write a bundle',
  about: 'Run agents on the tasks of suites, judge them, and write a bundle.',
  options: RunOptions,
  examples: [
    'touchstone run basics --agent reference,null,parrot',
    'touchstone run basics --task example-h1 --agent transcript --verbose',
    'touchstone run basics --task example-h1 --headed --slow 1000',
    'touchstone run ./my-suite --watch',
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
    if (request.options.watch) return await (await import('../actions/watch.ts')).watch(request, terminal);
    return await action.run(request, terminal);
  },
});

async function load() {
  return await import('../actions/run.ts');
}

const PathOnSite = z.string().startsWith('/', 'must begin with a slash, such as /health');

/** Each names the answer to one question. */
const InitOptions = z.object({
  app: z.string().min(1).optional().meta({
    flags: '--app <app>',
    help: 'your app: a command that starts its server, the address of one that is running, or a folder of files',
  }),
  ready: PathOnSite.optional().meta({
    flags: '--ready <path>',
    help: 'a path that answers with success or a redirect once the started app is ready',
    shown: '/',
  }),
  state: PathOnSite.optional().meta({
    flags: '--state <path>',
    help: 'a path at which the started app returns its state as JSON to the judge',
  }),
  reset: z.string().min(1).optional().meta({
    flags: '--reset <command>',
    help: 'a command that resets a running app before each episode',
  }),
  start: PathOnSite.optional().meta({
    flags: '--start <path>',
    help: 'the path of the page that the first task begins with',
    shown: '/',
  }),
  heading: z.string().min(1).optional().meta({
    flags: '--heading <text>',
    help: 'the heading of that page (default: read from the app)',
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

const init = defineCommand({
  name: 'init',
  args: '[folder]',
  summary: 'Start with an app and an agent of your own',
  about:
    'Write everything needed to measure your agent on your app: a suite with one task, an agent, a campaign that "touchstone run" finds, and a workflow for CI. It asks what your app is and in which language your agent is written; options answer these questions in advance. It starts the app and reads the heading of its page, so that the first run passes; if it cannot, it writes nothing. It never overwrites a file. It writes to the folder, by default the current one, if that holds only npm and git files, otherwise to "touchstone" in it. A command (--app) runs in the folder above that of the suite. If there is already a suite, it writes only the missing files, such as the workflow.',
  options: InitOptions,
  examples: [
    'touchstone init',
    'touchstone init ./bench --yes',
    'touchstone init --app "npm run dev -- --port {{port}} --host 127.0.0.1"',
    'touchstone init --yes --app "python3 app.py {{port}}" --ready /health --state /__state --language python',
  ],
  run: async (request, terminal) => (await import('../actions/init.ts')).init(request, terminal),
});

const ShowOptions = Options.pick({ claims: true, serve: true, port: true, json: true, verbose: true });
export type ShowOptions = z.output<typeof ShowOptions>;

const show = defineCommand({
  name: 'show',
  args: '[bundle] [episode]',
  summary: 'Look at a bundle or an episode, with --serve in a browser',
  about:
    'Show a bundle, finished or not: by default the latest in the folder bundles; "-2" is the one before it. With an episode (the start of its id, a task, task/surface or an agent), show its goal, why it did not pass, and all of its steps; --verbose adds the prompts and replies of a model, each command to the browser, and full hashes. If several episodes match, show the first that failed, or list them if none did (with --json, show them all). With --claims, print what may be claimed if the records verify, and the reasons against more. With --serve, show the report and a page for each episode in a browser; during a run the report updates itself. With --serve and a second bundle, show both side by side.',
  options: ShowOptions,
  examples: [
    'touchstone show',
    'touchstone show dialog-delete',
    'touchstone show -2 --serve',
    'touchstone show bundles/20260101T120000-basics',
    'touchstone show bundles/20260101T120000-basics dialog-delete --verbose',
    'touchstone show bundles/20260101T120000-basics --claims',
    'touchstone show bundles/20260101T120000-basics --serve',
    'touchstone show -2 latest --serve',
  ],
  run: async (request, terminal) => (await import('../actions/show.ts')).show(request, terminal),
});

const PlanOptions = PlanningOptions.extend(
  Options.pick({ basis: true, workers: true, times: true, claims: true, json: true }).shape,
);
export type PlanOptions = z.output<typeof PlanOptions>;

const plan = defineCommand({
  name: 'plan',
  args: '[suites...]',
  summary: 'Show what a run would do and cost, without running it',
  about:
    'Show what a run would cost, how long it would take, what it would run and in which order, and the hash of its plan. With --claims, also show what could be claimed, and each reason against more. Nothing runs.',
  options: PlanOptions,
  examples: [
    'touchstone plan --campaign campaigns/protocol-600.yaml',
    'touchstone plan basics --agent reference,null -n 5 --json',
  ],
  run: async (request, terminal) => (await import('../actions/plan.ts')).plan(request, terminal),
});

const ListOptions = Options.pick({ json: true });
export type ListOptions = z.output<typeof ListOptions>;

const list = defineCommand({
  name: 'list',
  args: '[suites...]',
  summary: 'List suites, agents and surfaces, or the tasks of a suite',
  about: 'List suites with the number of their tasks, agents and surfaces; with suites, list their tasks.',
  options: ListOptions,
  examples: ['touchstone list', 'touchstone list basics'],
  run: async (request, terminal) => (await import('../actions/list.ts')).list(request, terminal),
});

const MergeOptions = Options.pick({ json: true }).extend({
  out: z
    .string({ error: 'must be given' })
    .min(1)
    .meta({ flags: '-o, --out <folder>', help: 'where the merged bundle goes: a new or an empty folder' }),
});
export type MergeOptions = z.output<typeof MergeOptions>;

const merge = defineCommand({
  name: 'merge',
  args: '<bundles...>',
  summary: 'Merge the parts from run --shard into one bundle',
  about:
    'Merge all parts of a plan that were run with --shard into one bundle. Each part is verified; differing pins and missing or duplicate parts are refused by name.',
  options: MergeOptions,
  examples: ['touchstone merge parts/1 parts/2 parts/3 --out bundles/whole'],
  run: async (request, terminal) => (await import('../actions/merge.ts')).merge(request, terminal),
});

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
  secretFile: true,
  cassette: true,
  prompt: true,
}).extend({
  queue: Options.shape.queue.meta({ ...Options.shape.queue.meta(), daily: true }),
  workers: WorkersValue.default(1).meta({
    daily: true,
    flags: '-w, --workers <count>',
    help: 'how many episodes run at once here: a number, or auto for as many as cores and memory allow',
    shown: '1',
  }),
  maxUsd: PlanningOptions.shape.maxUsd.meta({
    flags: '--max-usd <amount>',
    help: 'the most that this worker may spend on models, in all campaigns together',
  }),
});
export type WorkerOptions = z.output<typeof WorkerOptions>;

const worker = defineCommand({
  name: 'worker',
  args: '[suites...]',
  summary: 'Run episodes on this machine for a run --queue elsewhere',
  about:
    'Run episodes of campaigns that "touchstone run --queue" coordinates, on this machine, until Ctrl-C. Name your own suites, agents and surfaces here too, and --live-web if the campaign uses it.',
  options: WorkerOptions,
  examples: [
    'touchstone worker --queue redis://127.0.0.1:6379',
    'touchstone worker --queue redis://127.0.0.1:6379 --workers 4 --idle 60',
    'touchstone worker --queue redis://127.0.0.1:6379 --browser-endpoint http://127.0.0.1:9222',
    'touchstone worker ./my-suite --queue rediss://queue.example:6380 --store s3://evidence/touchstone',
  ],
  run: async (request, terminal) => (await import('../actions/worker.ts')).worker(request, terminal),
});

export const RUN_COMMANDS: readonly CommandSpec[] = [RUN, init, show, plan, list, merge, worker];

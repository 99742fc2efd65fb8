import { z } from 'zod';
import { defineCommand, type CommandSpec } from '../command.ts';
import { Options } from '../options.ts';
import { count, EndpointValue, PathValue, Switch, WorkersValue } from '../planning-options.ts';
import { Id } from '../../task/instance.ts';

const ValidateOptions = Options.pick({ prompt: true, json: true });
export type ValidateOptions = z.output<typeof ValidateOptions>;

const validate = defineCommand({
  name: 'validate',
  args: '[places...]',
  summary: 'Check suites, tasks and prompts, and list every problem',
  about:
    'Check suites (names or folders), single task files and the prompts of models, and report every problem at once.',
  options: ValidateOptions,
  examples: [
    'touchstone validate basics',
    'touchstone validate ./my-suite ./draft-task.yaml',
    'touchstone validate basics --prompt ./my-prompt.md',
  ],
  run: async (request, terminal) => (await import('../actions/validate.ts')).validate(request, terminal),
});

const QualifyOptions = Options.pick({
  surface: true,
  task: true,
  repetitions: true,
  perturbations: true,
  closedBook: true,
  prompt: true,
  seed: true,
  secretFile: true,
  again: true,
  json: true,
}).extend({
  table: Switch.meta({
    flags: '--table',
    help: 'print how much the current proofs tried, and the bound on false passes that follows; try nothing',
  }),
  workers: WorkersValue.default('auto').meta({
    flags: '-w, --workers <count>',
    help: 'how many trials run at once: a number, or auto for as many as cores and memory allow',
    shown: 'auto',
  }),
  out: z
    .string()
    .min(1)
    .default('bundles')
    .meta({ flags: '-o, --out <folder>', help: 'where the bundles of the trials go', shown: 'bundles' }),
});
export type QualifyArguments = z.output<typeof QualifyOptions>;

export const qualifyCommand = defineCommand({
  name: 'qualify',
  args: '<suites...>',
  summary: 'Prove that tasks measure what they claim',
  about:
    'For each task without a current proof, try what must pass and what must fail, and write the proof next to the suite. A task without a proof does not count.',
  options: QualifyOptions,
  examples: [
    'touchstone qualify basics',
    'touchstone qualify ./my-suite --task send-form --perturbations 20',
    'touchstone qualify ./my-suite --closed-book claude-haiku-4-5',
  ],
  run: async (request, terminal) => (await import('../actions/qualify.ts')).qualify(request, terminal),
});

const RecordTaskOptions = Options.pick({ accept: true }).extend({
  browserEndpoint: EndpointValue.optional().meta({
    flags: '--browser-endpoint <url>',
    help: 'record in a browser that is already running, at this debugging address',
  }),
  accept: Options.shape.accept.meta({ flags: '--accept', help: 'replace a task that has this id' }),
  goal: z.string().regex(/\S/, 'is empty').optional().meta({
    flags: '-g, --goal <text>',
    help: 'what agents are asked to do (default: asked for on the terminal)',
  }),
  answer: z.string().regex(/\S/, 'is empty').optional().meta({
    flags: '--answer <text>',
    help: 'the expected answer, if the goal asks for one',
  }),
  id: Id.optional().meta({
    flags: '--id <id>',
    help: 'id and file name of the task (default: taken from the goal)',
  }),
  qualify: z.boolean().default(true).meta({
    flags: '--no-qualify',
    help: 'write the task without qualifying it',
  }),
  out: z
    .string()
    .min(1)
    .default('bundles')
    .meta({ flags: '-o, --out <folder>', help: 'where the bundle of the trials goes', shown: 'bundles' }),
});
export type RecordTaskArguments = z.output<typeof RecordTaskOptions>;

const recordTask = defineCommand({
  name: 'record-task',
  args: '<url> [suite]',
  summary: 'Write a task by doing it in a browser',
  about:
    'Open a page of a suite (by default, of the suite in the current folder) in a browser window and record what you do there as a solution. The contract, guards and near-misses are proposed from what changed; the task is written to the suite and qualified.',
  options: RecordTaskOptions,
  examples: [
    'touchstone record-task http://basics.localhost/contact ./my-suite --id send-form',
    'touchstone record-task /loans ./my-suite',
    'touchstone record-task http://localhost:3000/',
  ],
  run: async (request, terminal) => (await import('../actions/record-task.ts')).recordTaskAction(request, terminal),
});

const RecordOptions = Options.pick({ pages: true, connectTo: true, facsimile: true, accept: true }).extend({
  out: z
    .string()
    .regex(/\.zip$/i, 'must end in .zip')
    .optional()
    .meta({ flags: '-o, --out <file>', help: "where the archive goes (default: the suite's own)" }),
});
export type RecordArguments = z.output<typeof RecordOptions>;

const record = defineCommand({
  name: 'record',
  args: '<suite>',
  summary: 'Record the web that a suite needs',
  about:
    'Record the web that a suite needs, by following its solutions, near-misses and the links on their pages, or pack stand-in pages.',
  options: RecordOptions,
  examples: [
    'touchstone record ./my-suite',
    'touchstone record ./my-suite --facsimile ./my-suite/pages --accept',
    'touchstone record ./my-suite --connect-to docs.example.com:443:127.0.0.1:8443',
  ],
  run: async (request, terminal) => (await import('../actions/record.ts')).record(request, terminal),
});

const TranscriptsOptions = Options.pick({ agent: true, surface: true, accept: true, baseline: true });
export type TranscriptsOptions = z.output<typeof TranscriptsOptions>;

const transcripts = defineCommand({
  name: 'transcripts',
  args: '<bundle> [suites...]',
  summary: 'Keep the calls of an agent as transcripts of a suite',
  about:
    'Compare the passed episodes of an agent in a bundle with the transcripts of the suite. Writes only with --accept.',
  options: TranscriptsOptions,
  examples: [
    'touchstone transcripts bundles/20260101T120000-basics',
    'touchstone transcripts bundles/20260101T120000-basics --surface playwright-mcp --accept',
    'touchstone transcripts bundles/20260101T120000-basics --accept --baseline suites/basics/baseline.json',
    'touchstone transcripts /tmp/bundle ./my-suite --accept',
  ],
  run: async (request, terminal) => (await import('../actions/transcripts.ts')).transcripts(request, terminal),
});

const SurfaceOptions = Options.pick({ task: true, workers: true, out: true, json: true }).extend({
  to: z.string().min(1).default('tool-servers').meta({
    flags: '--to <folder>',
    help: 'bench: the folder for the result as Markdown, JSON and a badge',
    shown: 'tool-servers',
  }),
  atLeast: z.coerce.number().int().min(0).default(0).meta({
    flags: '--at-least <count>',
    help: 'bench: exit with 1 if fewer situations pass',
    shown: '0',
  }),
});
export type SurfaceOptions = z.output<typeof SurfaceOptions>;

const surface = defineCommand({
  name: 'surface',
  args: '<action> <file>',
  summary: 'Try or measure a tool server, by its file',
  about:
    'try: open a test page through the tool server that a file describes; print its tools, the reply to "look", the elements that it finds there, and what each bound step does to the page. Begin with "id" and "command", and "ready" if the server needs another call first; then add the binding, step by step. bench: follow the solutions of the suite web through it, and list what it can and cannot do, next to servers that were measured before.',
  words: ['try', 'bench'],
  options: SurfaceOptions,
  examples: [
    'touchstone surface try ./my-server.yaml',
    'touchstone surface try ./my-server.yaml --json',
    'touchstone surface bench ./my-server.yaml --at-least 80',
  ],
  run: async (request, terminal) => (await import('../actions/surface.ts')).surface(request, terminal),
});

const ImportOptions = Options.pick({ json: true }).extend({
  out: PathValue.meta({
    flags: '-o, --out <folder>',
    help: 'where the list or the suite goes: a new or an empty folder',
  }),
  seeds: count(1_000).default(3).meta({
    flags: '--seeds <count>',
    help: 'for miniwob and webgames: how many seeds of each page become tasks, from 0 on',
    shown: '3',
  }),
  overlay: PathValue.optional().meta({
    flags: '--overlay <file>',
    help: 'a file with a world, and contracts and solutions of rows by id; also writes a suite of these rows',
  }),
});
export type ImportOptions = z.output<typeof ImportOptions>;

const importCommand = defineCommand({
  name: 'import',
  args: '<dataset> <checkout>',
  summary: 'List the tasks of another data set, or write its suite',
  about:
    'Read the tasks of another data set from a checkout and write them as a list: tasks.jsonl, each task with its goal and where it can be judged, and dataset.json with commit, licence, hashes, counts and the excluded rows. For miniwob it writes a suite to run instead; for webgames, webmcp-evals and (with Python 3) webarena-infinity, it writes both. Exits with 1 if a row is malformed.',
  words: [
    'miniwob',
    'webarena',
    'visualwebarena',
    'webchorearena',
    'webarena-verified',
    'webarena-infinity',
    'webgames',
    'webvoyager',
    'webmcp-evals',
  ],
  options: ImportOptions,
  examples: [
    'touchstone import webarena ../webarena --out /tmp/webarena',
    'touchstone import miniwob ../miniwob-plusplus --out /tmp/miniwob',
  ],
  run: async (request, terminal) => (await import('../actions/import.ts')).importDataset(request, terminal),
});

export const WRITE_COMMANDS: readonly CommandSpec[] = [
  validate,
  qualifyCommand,
  recordTask,
  record,
  transcripts,
  surface,
  importCommand,
];

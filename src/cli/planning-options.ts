import { z } from 'zod';
import { BrowserKind, Isolation } from '../bundle/row-words.ts';
import { TracePolicy } from '../task/trace-policy.ts';
import { ENDPOINT_EXAMPLE, isEndpointAddress } from '../browser/endpoint-address.ts';
import { Shard } from '../plan/shard.ts';

export const Ids = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .pipe(z.array(z.string()).min(1, 'names nothing; write one name, or several separated by commas'));
export const PathValue = z.string().min(1);
export const EndpointValue = z.string().refine(isEndpointAddress, `must be an address such as ${ENDPOINT_EXAMPLE}`);
export const Hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits');
const DATE_OR_HOUR = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}))?$/;
/** An instant, as in rows. */
export const Since = z
  .string()
  .transform((text) => text.replace(DATE_OR_HOUR, (_, day: string, hour = '00') => `${day}T${hour}:00:00Z`))
  .pipe(z.iso.datetime({ offset: true, error: 'must be like 2026-05-19T23:00:00Z, 2026-05-19T23 or 2026-05-19' }))
  .transform((text) => new Date(text).toISOString());
export const ShareValue = z
  .string()
  .regex(/^\d{1,3}(?:\.\d{1,4})?%$/, 'must be a percentage such as 5%')
  .transform((text) => Number(text.slice(0, -1)) / 100)
  .pipe(z.number().gt(0, 'must be above 0%').max(1, 'must be at most 100%'));
export const PartOf = z
  .string()
  .regex(/^\d{1,7}\/\d{1,7}$/, 'must be a part of how many, such as 2/3')
  .transform((text) => {
    const [index, of] = text.split('/').map(Number);
    return { index, of };
  })
  .pipe(Shard);
export const Switch = z.boolean().default(false);
/** Reads a number, and keeps other text for the error message. */
export const numeric = <S extends z.ZodType>(schema: S) =>
  z.preprocess((text) => (typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text), schema);
export const count = (most: number) => numeric(z.int().min(1).max(most));

/** More than any machine can run. */
const MAX_WORKERS = 256;
export const WorkersValue = z.union([z.literal('auto'), count(MAX_WORKERS)], {
  error: `must be auto, or a whole number from 1 to ${MAX_WORKERS}`,
});

export const PlanningOptions = z.object({
  agent: Ids.default(['reference']).meta({
    daily: true,
    flags: '-a, --agent <ids>',
    help: 'agents, separated by commas; may be given several times, like all lists',
    shown: 'reference',
  }),
  surface: Ids.default(['aria']).meta({
    daily: true,
    flags: '-s, --surface <ids>',
    help: 'surfaces, separated by commas',
    shown: 'aria',
  }),
  task: Ids.optional().meta({
    daily: true,
    flags: '-t, --task <ids>',
    help: 'only these tasks, separated by commas',
  }),
  lastFailed: Switch.meta({
    daily: true,
    flags: '--last-failed',
    help: 'only what failed in the latest bundle: its tasks, through the agents and surfaces that failed; other options choose others',
  }),
  campaign: PathValue.optional().meta({
    daily: true,
    flags: '--campaign <file>',
    help: 'a file with suites, tasks, agents, surfaces, iterations, seed, caps and prompt of a run',
  }),
  all: Switch.meta({ daily: true, flags: '--all', help: 'every built-in suite' }),
  iterations: count(10_000)
    .default(1)
    .meta({ daily: true, flags: '-n, --iterations <count>', help: 'repetitions of every cell', shown: '1' }),
  seed: numeric(z.int()).default(1).meta({
    flags: '--seed <number>',
    help: 'seed of everything random, such as the order of entrants',
    shown: '1',
  }),
  secretFile: PathValue.optional().meta({
    flags: '--secret-file <file>',
    help: 'the secret that draws the instances of tasks with "draw": at least 16 bytes; the plan records its SHA-256',
  }),
  maxSteps: count(1_000).optional().meta({ flags: '--max-steps <count>', help: "lowers the tasks' cap on steps" }),
  maxTurns: count(1_000).optional().meta({ flags: '--max-turns <count>', help: "lowers the tasks' cap on turns" }),
  maxTokens: count(100_000_000).optional().meta({
    flags: '--max-tokens <count>',
    help: "lowers the tasks' cap on the tokens of an episode, in and out",
  }),
  maxUsd: numeric(z.number().positive().max(1_000_000)).optional().meta({
    flags: '--max-usd <amount>',
    help: 'pauses the campaign once its episodes together have spent this much',
  }),
  isolation: Isolation.exclude(['none']).default('context').meta({
    flags: '--isolation <kind>',
    help: 'context: a fresh context of a warm browser; browser: a fresh browser',
    shown: 'context',
  }),
  browser: BrowserKind.default('full').meta({
    flags: '--browser <kind>',
    help: 'full: what users run; shell: the headless shell, at about half the cost',
    shown: 'full',
  }),
  liveWeb: Switch.meta({
    flags: '--live-web',
    help: 'let the real web answer instead of stand-ins and archives; must be given again with --resume',
  }),
  trace: TracePolicy.default('off').meta({
    flags: '--trace <which>',
    help: 'keep Playwright traces of built-in surfaces: on, failures or off',
    shown: 'off',
  }),
  film: Switch.meta({
    flags: '--film',
    help: 'keep a picture of each step for show --serve (only of start and end if the agent drives the browser itself); slows episodes down, so leave it out when comparing times',
  }),
  headed: Switch.meta({
    daily: true,
    flags: '--headed',
    help: 'show the browser on the screen, with one worker by default; such a run supports no claim',
  }),
  slow: count(60_000).optional().meta({
    daily: true,
    flags: '--slow <ms>',
    help: 'wait this long before each step, so that you can watch it; does not count against the time cap; such a run supports no claim',
  }),
  fault: Ids.default([]).meta({
    flags: '--fault <profiles>',
    help: 'inject faults into every task, each in a cell of its own: built-in profiles (browser, network, page, server) or files',
  }),
  onlyFault: Ids.optional().meta({
    flags: '--only-fault <ids>',
    help: 'inject only these of the faults in the tasks and --fault; fault-free episodes run too',
  }),
  tasks: PathValue.optional().meta({
    flags: '--tasks <folder>',
    help: 'a suite folder (as in OpenChrome)',
  }),
  adapter: z
    .enum(['mock', 'claude'])
    .optional()
    .meta({
      flags: '--adapter <name>',
      help: '"mock" means --agent transcript, "claude" means --agent claude-sonnet-4-6 (as in OpenChrome)',
      env: ['TOUCHSTONE_ADAPTER', 'TOUCHSTONE_BENCH_ADAPTER', 'OPENCHROME_BENCH_ADAPTER'],
    }),
  cassette: PathValue.optional().meta({
    flags: '--cassette <folder>',
    help: 'replay the model replies recorded in this folder; needs neither key nor network',
  }),
  recordCassette: PathValue.optional().meta({
    flags: '--record-cassette <folder>',
    help: 'record the replies of models in this folder, to replay them later',
  }),
  prompt: z.string().min(1).optional().meta({
    flags: '--prompt <name>',
    help: 'what models read besides the task: a built-in prompt (brief, careful, default) or a file',
    shown: 'default',
  }),
});
export type PlanningOptions = z.output<typeof PlanningOptions>;

export const QUEUE_OPTIONS = {
  queue: PathValue.optional().meta({
    flags: '--queue <address>',
    help: 'the Redis or Valkey that distributes episodes to workers: redis://host:port, or rediss:// with TLS; TOUCHSTONE_QUEUE_USER and TOUCHSTONE_QUEUE_PASSWORD sign in',
  }),
  store: PathValue.optional().meta({
    flags: '--store <place>',
    help: 'where coordinator and workers keep evidence: a shared folder, or s3://bucket/prefix with keys, region and endpoint from the usual AWS variables (default: the queue)',
  }),
  lostAfter: numeric(z.int().min(2).max(3_600)).default(30).meta({
    flags: '--lost-after <seconds>',
    help: 'a worker that is silent for this long is lost, and its episodes run again',
    shown: '30',
  }),
  idle: numeric(z.int().min(1).max(1_000_000)).optional().meta({
    flags: '--idle <seconds>',
    help: 'exit after this long with nothing to run (default: never)',
  }),
};

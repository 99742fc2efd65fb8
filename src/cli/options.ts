import { fact, messageFor } from '../messages/messages.ts';
import { type Command, Option } from 'commander';
import { z } from 'zod';
import { parsePlainly } from '../contract/validation/problem.ts';
import {
  count,
  EndpointValue,
  Hash,
  Ids,
  numeric,
  PartOf,
  PathValue,
  ShareValue,
  Since,
  Switch,
  WorkersValue,
  PlanningOptions,
  QUEUE_OPTIONS,
} from './planning-options.ts';
import { UsageError } from './exit-code.ts';

/** Most options without groups. */
const MAX_UNGROUPED = 12;

/** The description of an option in help and docs/cli.md. */
const Text = z.object({
  flags: z.string(),
  help: z.string(),
  /** The default. */
  shown: z.string().optional(),
  /** Variables that set it if the command line does not; the first that is set counts. */
  env: z.array(z.string()).optional(),
  /** Whether help shows it before the advanced ones. */
  daily: z.boolean().default(false),
});
export type OptionText = z.infer<typeof Text>;

/**
 * Every option of the command line: its schema, its flags, its help, and its variables. Parsing, `--help` and docs/cli.md use it.
 */
export const Options = PlanningOptions.extend({
  basis: PathValue.optional().meta({
    flags: '--basis <bundle>',
    help: 'estimate from what an earlier bundle measured in the same cells',
  }),
  workers: WorkersValue.default('auto').meta({
    daily: true,
    flags: '-w, --workers <count>',
    help: 'how many episodes run at once: a number, or auto for as many as cores and memory allow',
    shown: 'auto',
  }),
  times: Switch.meta({
    flags: '--times',
    help: 'run one episode at a time, so that times can be claimed',
  }),
  ...QUEUE_OPTIONS,
  browserEndpoint: z.array(EndpointValue).default([]).meta({
    flags: '--browser-endpoint <url>',
    help: 'judge in a browser that is already running, at this debugging address; its rows are diagnostic; may be given several times, for one worker in each',
  }),
  out: PathValue.optional().meta({
    daily: true,
    flags: '-o, --out <folder>',
    help: 'where the bundle goes: a new or an empty folder (default: bundles/<time>-<suites> in the current folder)',
  }),
  to: PathValue.optional().meta({
    flags: '--to <folder>',
    help: 'the folder to write to (default for publish: reports; for a report of several bundles: the terminal)',
  }),
  since: Since.optional().meta({
    flags: '--since <time>',
    help: 'only episodes that began at this time or later: 2026-05-19T23:00:00Z, or an hour or day in UTC (2026-05-19T23)',
  }),
  baseline: PathValue.optional().meta({
    daily: true,
    flags: '--baseline <file>',
    help: 'every task in this file must pass, with the same transcript as when it was accepted',
  }),
  accept: Switch.meta({ flags: '--accept', help: 'write what is shown, replacing what is there' }),
  shard: PartOf.optional().meta({
    flags: '--shard <part/parts>',
    help: 'run one part of the plan, such as 2/3; "touchstone merge" makes one bundle of all parts',
  }),
  resume: PathValue.optional().meta({
    daily: true,
    flags: '--resume <bundle>',
    help: 'finish a campaign that ended early; its tasks must be unchanged',
  }),
  watch: Switch.meta({
    daily: true,
    flags: '--watch',
    help: 'run a task again when its file changes, and all tasks when the agent or the app does, until Ctrl-C',
  }),
  junit: z
    .string()
    .regex(/[^/]\.xml$/i, 'must end in .xml')
    .optional()
    .meta({
      flags: '--junit <file>',
      help: 'also write the episodes of one bundle as JUnit XML',
    }),
  gate: Switch.meta({
    flags: '--gate',
    help: 'exit with 1 if a success rate regressed, with or without faults, if a task is missing or its contract changed, or if the later bundle is not finished',
  }),
  claims: Switch.meta({
    flags: '--claims',
    help: 'print what may be claimed, the reasons against more, and how to lift each',
  }),
  serve: Switch.meta({
    flags: '--serve',
    help: 'serve it on 127.0.0.1 until Ctrl-C, for a browser on this machine',
  }),
  port: numeric(z.int().min(1_024).max(65_535)).optional().meta({
    flags: '--port <number>',
    help: 'the port to serve it on (default: a free one)',
  }),
  verbose: Switch.meta({
    daily: true,
    flags: '-v, --verbose',
    help: 'print more: every event, full hashes, the basis of a result',
    env: ['TOUCHSTONE_VERBOSE', 'OPENCHROME_BENCH_VERBOSE'],
  }),
  json: Switch.meta({ daily: true, flags: '--json', help: 'print one JSON value for machines' }),
  anchor: Hash.optional().meta({
    flags: '--anchor <hash>',
    help: 'the hash of the plan that was published before the run',
  }),
  signer: Hash.optional().meta({
    flags: '--signer <hash>',
    help: 'the SHA-256 of the public key that must have signed the bundle',
  }),
  rerun: ShareValue.optional().meta({
    flags: '--rerun <share>',
    help: 'run a random share of the repeatable episodes again, for example 5%, and compare the results',
  }),
  key: PathValue.default('key.pem').meta({
    flags: '--key <file>',
    help: 'a private Ed25519 key in PEM',
    shown: 'key.pem',
  }),
  pages: numeric(z.int().min(0).max(1_000)).default(20).meta({
    flags: '--pages <count>',
    help: 'the most pages of a site to record, in addition to those that the routes visit',
    shown: '20',
  }),
  connectTo: Ids.default([]).meta({
    flags: '--connect-to <places>',
    help: 'connect elsewhere, as with curl: host:port:other-host:other-port, separated by commas; the archive records it',
  }),
  facsimile: PathValue.optional().meta({
    flags: '--facsimile <folder>',
    help: 'pack stand-in pages, <folder>/<host>/<path>, instead of recording',
  }),
  install: Switch.meta({ flags: '--install', help: 'install a browser if there is none' }),
  quiet: Switch.meta({ flags: '-q, --quiet', help: 'print only what is wrong' }),
  repetitions: count(100).default(3).meta({
    flags: '-k, --repetitions <count>',
    help: 'how many times the reference must pass each task',
    shown: '3',
  }),
  perturbations: numeric(z.int().min(0).max(1_000)).default(20).meta({
    flags: '--perturbations <count>',
    help: 'number of variants of the solution to try on each task; one that passes without reaching a correct end is a false pass',
    shown: '20',
  }),
  again: Switch.meta({
    flags: '--again',
    help: 'also qualify tasks with a current proof, without reusing earlier trials',
  }),
  closedBook: z.string().min(1).optional().meta({
    flags: '--closed-book <model>',
    help: 'add a control: this model without any tools; it is asked at least once per task, which costs money',
  }),
  claim: Switch.meta({
    flags: '--claim',
    help: 'refuse to begin if nothing could become a primary claim, and list the reasons against each claim',
  }),
  yes: Switch.meta({
    daily: true,
    flags: '-y, --yes',
    help: 'run models that cost money without asking first',
  }),
});

/** Returns the descriptions of options, in their order. */
export function optionTexts(options: z.ZodObject): [name: string, text: OptionText][] {
  return Object.entries(options.shape).map(([name, schema]) => [name, Text.parse(z.globalRegistry.get(schema))]);
}

/** Spells an option as on the command line: `--max-steps`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`;
}

export function addOptions(command: Command, options: z.ZodObject): void {
  const texts = optionTexts(options);
  const isGrouped = texts.length > MAX_UNGROUPED;
  const placed = isGrouped ? texts.toSorted(([, a], [, b]) => Number(b.daily) - Number(a.daily)) : texts;
  for (const [name, { flags, help, shown, daily }] of placed) {
    const option = new Option(flags, shown === undefined ? help : `${help} (default: ${shown})`);
    if (isGrouped && !daily) option.helpGroup('Advanced:');
    const isList = isListOfNames(options.shape[name]);
    if (isList)
      option.argParser((text: string, before?: string) => (before === undefined ? text : `${before},${text}`));
    if (takesSeveral(options.shape[name]))
      option.argParser((text: string, before?: string[]) => [...(before ?? []), text]);
    command.addOption(option);
  }
}

/** Whether an option takes a list of names, which adds up if it is given several times. */
export function isListOfNames(schema: unknown): boolean {
  if (schema === Ids) return true;
  return (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) && isListOfNames(schema.unwrap());
}

/** Whether an option may be given several times, with one value each time. */
function takesSeveral(schema: unknown): boolean {
  if (schema instanceof z.ZodArray) return true;
  return (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) && takesSeveral(schema.unwrap());
}

/**
 * Checks the options that the user has set.
 * @throws UsageError naming every invalid option
 */
export function readOptions<S extends z.ZodObject>(
  given: Record<string, unknown>,
  options: S,
  env: NodeJS.ProcessEnv,
): z.output<S> {
  const texts = new Map(optionTexts(options));
  const raw = Object.fromEntries([...texts].map(([name, text]) => [name, given[name] ?? fromEnvironment(text, env)]));
  const parsed = parsePlainly(options, raw);
  if (parsed.ok) return parsed.value;
  const lines = parsed.problems.map(({ path, what }) => {
    const message = messageFor(what);
    const name = String(path[0]);
    const text = texts.get(name);
    if (text === undefined) return message;
    return `${name in given ? text.flags : sourceOf(text, env)} ${message}`;
  });
  throw new UsageError(fact('bad_options', { problems: lines }));
}

/** Names the variable that a value came from, or the flags. */
function sourceOf({ flags, env: variables = [] }: OptionText, env: NodeJS.ProcessEnv): string {
  return variables.find((name) => (env[name] ?? '') !== '') ?? flags;
}

function fromEnvironment({ env: variables = [] }: OptionText, env: NodeJS.ProcessEnv): unknown {
  const value = variables.map((name) => env[name]).find((each) => each !== undefined && each !== '');
  if (value === undefined) return undefined;
  return value === '1' || value === 'true' ? true : value;
}

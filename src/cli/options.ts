import { type Command, Option } from 'commander';
import { z } from 'zod';
import { parsePlainly } from '../contract/problem.ts';
import { UsageError } from './usage-error.ts';

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);
const count = (most: number) => z.coerce.number().pipe(z.int().min(1).max(most));

/**
 * Every option of the command line, once: its flags, its help, the variable that sets it too, and what it must be.
 * Parsing, `--help` and docs/cli.md come from here.
 */
export const OPTIONS = {
  agent: {
    flags: '-a, --agent <ids>',
    help: 'agents, separated by commas',
    schema: list.default(['reference']),
    shown: 'reference',
  },
  surface: {
    flags: '-s, --surface <ids>',
    help: 'surfaces, separated by commas',
    schema: list.default(['aria']),
    shown: 'aria',
  },
  task: { flags: '-t, --task <ids>', help: 'only these tasks, separated by commas', schema: list.optional() },
  all: { flags: '--all', help: 'every built-in suite', schema: z.boolean().default(false) },
  iterations: {
    flags: '-n, --iterations <count>',
    help: 'repetitions of every cell',
    schema: count(10_000).default(1),
    shown: '1',
  },
  seed: {
    flags: '--seed <number>',
    help: 'shuffles the entrants',
    schema: z.coerce.number().pipe(z.int()).default(1),
    shown: '1',
  },
  maxSteps: { flags: '--max-steps <count>', help: "lowers the tasks' cap of steps", schema: count(1_000).optional() },
  out: {
    flags: '-o, --out <folder>',
    help: 'where the bundle goes (default: bundles/<time>-<suites>)',
    schema: z.string().min(1).optional(),
  },
  resume: {
    flags: '--resume <bundle>',
    help: 'finish a campaign that was ended early',
    schema: z.string().min(1).optional(),
  },
  isolation: {
    flags: '--isolation <kind>',
    help: 'context: a fresh context of a warm browser; browser: a fresh browser',
    schema: z.enum(['context', 'browser']).default('context'),
    shown: 'context',
  },
  browser: {
    flags: '--browser <kind>',
    help: 'full: what users run; shell: the headless shell, at about half the cost',
    schema: z.enum(['full', 'shell']).default('full'),
    shown: 'full',
  },
  live: { flags: '--live', help: 'let the real web answer instead of stand-ins', schema: z.boolean().default(false) },
  verbose: {
    flags: '-v, --verbose',
    help: 'print every event',
    schema: z.boolean().default(false),
    env: ['TOUCHSTONE_VERBOSE', 'OPENCHROME_BENCH_VERBOSE'],
  },
  json: { flags: '--json', help: 'print one JSON value for machines', schema: z.boolean().default(false) },
  install: { flags: '--install', help: 'install a browser if there is none', schema: z.boolean().default(false) },
  quiet: { flags: '-q, --quiet', help: 'print only what is wrong', schema: z.boolean().default(false) },
  tasks: {
    flags: '--tasks <folder>',
    help: 'a suite folder (the name that seed 004 uses)',
    schema: z.string().min(1).optional(),
  },
  adapter: {
    flags: '--adapter <name>',
    help: '"mock" means --agent transcript (the name that seed 004 uses)',
    schema: z.enum(['mock']).optional(),
    env: ['TOUCHSTONE_ADAPTER', 'OPENCHROME_BENCH_ADAPTER'],
  },
} as const satisfies Record<string, OptionSpec>;

interface OptionSpec {
  flags: string;
  help: string;
  schema: z.ZodType;
  /** The default, as help shows it. */
  shown?: string;
  /** Variables that set it where the command line does not; the first that is set counts. */
  env?: readonly string[];
}

export type OptionName = keyof typeof OPTIONS;
export type OptionValues<N extends OptionName> = { [K in N]: z.output<(typeof OPTIONS)[K]['schema']> };

/** Gives a command these options. */
export function addOptions(command: Command, names: readonly OptionName[]): void {
  for (const name of names) {
    const { flags, help, shown }: OptionSpec = OPTIONS[name];
    command.addOption(new Option(flags, shown === undefined ? help : `${help} (default: ${shown})`));
  }
}

/**
 * What the user has set, checked.
 * @throws UsageError naming every option that is not what it must be.
 */
export function readOptions<N extends OptionName>(
  given: Record<string, unknown>,
  names: readonly N[],
  env: NodeJS.ProcessEnv,
): OptionValues<N> {
  const shape = Object.fromEntries(names.map((name) => [name, OPTIONS[name].schema]));
  const raw = Object.fromEntries(names.map((name) => [name, given[name] ?? fromEnvironment(OPTIONS[name], env)]));
  const parsed = parsePlainly(z.object(shape), raw);
  if (parsed.ok) return asValues<N>(parsed.value);
  const lines = parsed.problems.map(({ path, message }) => {
    const name = names.find((each) => each === path[0]);
    return name === undefined ? message : `${sourceOf(name, given, env)} ${message}`;
  });
  throw new UsageError(lines.join('\n'), 'see --help');
}

/** Where a value came from: the flags, or the variable that stands in for them. */
function sourceOf(name: OptionName, given: Record<string, unknown>, env: NodeJS.ProcessEnv): string {
  const { flags, env: variables = [] }: OptionSpec = OPTIONS[name];
  const variable = name in given ? undefined : variables.find((each) => (env[each] ?? '') !== '');
  return variable ?? flags;
}

function fromEnvironment({ env: variables = [] }: OptionSpec, env: NodeJS.ProcessEnv): unknown {
  const value = variables.map((name) => env[name]).find((each) => each !== undefined && each !== '');
  if (value === undefined) return undefined;
  return value === '1' || value === 'true' ? true : value;
}

/** The parsed shape was built from these very schemas; TypeScript loses that on the way through `Object.fromEntries`. */
function asValues<N extends OptionName>(data: ReturnType<typeof JSON.parse>): OptionValues<N> {
  return data;
}

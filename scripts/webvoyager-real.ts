// npm run bench:webvoyager:real [-- --task … --live-web --yes]: the suite with a model, through Playwright's tool server.
import { fileURLToPath } from 'node:url';
import { EXIT, type ExitCode } from '../src/cli/exit-code.ts';
import { main } from '../src/cli/program.ts';
import { type Terminal, terminal as standardTerminal } from '../src/cli/terminal.ts';

const SWITCHES = ['TOUCHSTONE_BENCH_REAL', 'OPENCHROME_BENCH_REAL'];
const ADAPTERS = ['TOUCHSTONE_ADAPTER', 'TOUCHSTONE_BENCH_ADAPTER', 'OPENCHROME_BENCH_ADAPTER'];

/** Asks a model only where the switch is on; `--agent`, `--adapter` and its variables may choose another than the usual one. */
export async function benchReal(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  terminal: Terminal = standardTerminal,
): Promise<ExitCode> {
  if (!SWITCHES.some((name) => environment[name] === '1')) {
    terminal.note('error: this asks a model that somebody is billed for, so it has to be switched on');
    terminal.note(`remedy: TOUCHSTONE_BENCH_REAL=1 npm run bench:webvoyager:real${args.length > 0 ? ' -- …' : ''}`);
    return EXIT.badInput;
  }
  const isChosen =
    args.some((arg) => /^(-a|--agent|--adapter)(=|$)/.test(arg)) || ADAPTERS.some((name) => environment[name]);
  const adapter = isChosen ? [] : ['--adapter', 'claude'];
  return await main(['run', 'webvoyager', '--surface', 'playwright-mcp', ...adapter, ...args], terminal);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await benchReal(process.argv.slice(2), process.env);
}

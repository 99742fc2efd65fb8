import { Command, CommanderError } from 'commander';
import { colours } from './colours.ts';
import { packageVersion } from '../plan/package-root.ts';
import { printableLines } from '../report/printable.ts';
import { usageOf } from './command.ts';
import { COMMANDS } from './commands.ts';
import { EXIT, type ExitCode, knownFailure } from './exit-code.ts';
import { addOptions } from './options.ts';
import { type Terminal, terminal as standardTerminal } from './terminal.ts';

const AFTER_HELP = `
Exit codes: 0 done, 1 a gate was not met, 2 bad input or configuration, 3 infrastructure.
Start with:  touchstone run basics --agent reference,null,parrot`;

/** The program: reads the arguments, runs one command, and says how to exit. */
export async function main(args: readonly string[], terminal: Terminal = standardTerminal): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done;
  const program = createProgram(terminal, (code) => {
    exit = code;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.done;
      terminal.note(`  ${colours.dim('remedy:')} see "${helpFor(args)}"`);
      return EXIT.badInput;
    }
    const known = knownFailure(error);
    if (known === null) {
      const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
      terminal.note(`this is a fault of Touchstone, please report it:\n${printableLines(trace)}`);
      return EXIT.infrastructure;
    }
    const [message, remedy] = [printableLines(known.message), printableLines(known.remedy)];
    terminal.note(`${colours.red('error:')} ${message}\n  ${colours.dim('remedy:')} ${remedy}`);
    return known.exit;
  }
}

/** The help of the command that was meant, else of the program. */
function helpFor([name]: readonly string[]): string {
  return COMMANDS.every((command) => command.name !== name) ? 'touchstone --help' : `touchstone ${name} --help`;
}

/** The command tree, without running anything; docs/cli.md is drawn from it. */
export function createProgram(terminal: Terminal, onExit: (code: ExitCode) => void): Command {
  const program = new Command('touchstone')
    .description('Judges web agents by what the browser and the app end up showing, never by what the agent says.')
    .version(packageVersion())
    .addHelpText('after', AFTER_HELP)
    .configureOutput({
      writeOut: (text) => {
        terminal.out(text.trimEnd());
      },
      writeErr: (text) => {
        terminal.note(text.trimEnd());
      },
    })
    .exitOverride()
    .showSuggestionAfterError();
  for (const spec of COMMANDS) {
    const command = program.command(usageOf(spec)).description(spec.summary).exitOverride();
    if (spec.examples !== undefined)
      command.addHelpText('after', `\nExamples:\n${spec.examples.map((line) => `  ${line}`).join('\n')}`);
    addOptions(command, spec.options);
    command.action(async () => {
      onExit(await spec.run(command.args, command.opts(), terminal));
    });
  }
  return program;
}

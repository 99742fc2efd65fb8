import { Command, CommanderError } from 'commander';
import { colours } from './colours.ts';
import { packageVersion } from '../plan/package-root.ts';
import { type CommandSpec, OTHER_NAMES, usageOf } from './command.ts';
import { ABOUT_PROGRAM, COMMAND_GROUPS, COMMANDS } from './commands.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { addOptions } from './options.ts';
import { asTyped, noteFailure, type Terminal, terminal as standardTerminal } from './terminal.ts';

const AFTER_HELP = `
Start with:
  touchstone run basics --agent reference,null,parrot
  touchstone show bundles/<name> --serve
  touchstone init

Options and examples of a command:  touchstone run --help
Exit codes: 0 done, 1 a gate was not met, 2 bad input or configuration, 3 infrastructure, 4 paused.`;

/** Runs the command in these arguments, and returns the exit code. */
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
      // Without a command, the help was printed.
      if (error.code === 'commander.help') return EXIT.badInput;
      terminal.note(`  ${colours.dim('remedy:')} ${asTyped(remedyFor(args), terminal)}`);
      return EXIT.badInput;
    }
    return noteFailure(error, terminal);
  }
}

/** Points to the help of the command, or to our name for the command of another tool. */
function remedyFor([name = '']: readonly string[]): string {
  if (COMMANDS.some((command) => command.name === name)) return `see "touchstone ${name} --help"`;
  const ours = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : undefined;
  return ours === undefined ? 'see "touchstone --help"' : `that is "touchstone ${ours}" here; see "touchstone --help"`;
}

/** Lists names of other tools for our commands, for help. */
function otherNames(): string {
  const all = Object.entries(OTHER_NAMES);
  const aliases = [...new Set(Object.values(OTHER_NAMES))].map(
    (ours) => `${all.flatMap(([name, own]) => (own === ours ? [name] : [])).join(', ')} → ${ours}`,
  );
  return `Names in other tools: ${aliases.join('; ')}`;
}

/** Builds the command tree. */
export function createProgram(terminal: Terminal, onExit: (code: ExitCode) => void): Command {
  const program = new Command('touchstone')
    .description(
      "Judges web agents by what the browser and the app end up showing, never by the agent's word that it is done.",
    )
    .version(packageVersion())
    .addHelpText('after', asTyped(`${AFTER_HELP}\n${otherNames()}`, terminal))
    .configureOutput({
      writeOut: (text) => {
        text.trimEnd().split('\n').forEach(terminal.out);
      },
      writeErr: (text) => {
        text.trimEnd().split('\n').forEach(terminal.note);
      },
    })
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .showSuggestionAfterError();
  for (const [heading, commands] of COMMAND_GROUPS) for (const spec of commands) mount(spec, heading);
  return program
    .commandsGroup(`${ABOUT_PROGRAM}:`)
    .helpCommand('help [command]', 'Show the options and examples of a command');

  function mount(spec: CommandSpec, heading: string): void {
    const command = program
      .command(usageOf(spec))
      .summary(spec.summary)
      .description(spec.about)
      .helpGroup(`${heading}:`)
      .exitOverride();
    const examples = spec.examples?.map((line) => `  ${asTyped(line, terminal)}`).join('\n');
    if (examples !== undefined) command.addHelpText('after', `\nExamples:\n${examples}`);
    addOptions(command, spec.options);
    command.action(async () => {
      onExit(await spec.run(command.args, command.opts(), terminal));
    });
  }
}

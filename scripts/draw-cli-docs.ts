import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CommandSpec, usageOf } from '../src/cli/command.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { type OptionText, optionTexts } from '../src/cli/options.ts';

export const CLI_DOCS = fileURLToPath(new URL('../docs/cli.md', import.meta.url));

const HEAD = `# The command line

Every command and its options. Options that a command shares with \`run\` are described there; \`touchstone <command> --help\` prints all. In a clone, type \`npm run touchstone -- <command>\`; with an installed package, \`npx touchstone <command>\`.
`;

const EXIT_CODES = `## Exit codes

| code | meaning |
|---:|---|
| 0 | done, and every gate was met |
| 1 | a gate was not met: an agent did not pass, a control did, or a verdict differs |
| 2 | bad input or configuration |
| 3 | infrastructure: no browser, an episode without a result, a campaign that ended early |
| 4 | the campaign paused: a model's provider failed, or the budget is spent; \`--resume\` continues |

\`null\` and \`parrot\` are controls, which are meant to fail: \`run\` exits with 1 if one of them passes. The line \`gates\` reports it.

After Ctrl-C the program exits with 3, but npm and npx replace that with codes of their own.

Errors go to standard error as text, even with \`--json\`: \`error:\`, the problem and a remedy. Standard output is then empty. With \`--json\`, \`run\` reports its progress on standard error as
[lines of JSON](../schemas/run-event.json); a line there that is not JSON is part of an error.

## Other variables

| variable | meaning |
|---|---|
| \`TOUCHSTONE_BROWSER\` | path of the Chromium or Chrome binary to start |
| \`TOUCHSTONE_CACHE\` | the cache folder: real applications are installed in its \`apps\`; default \`~/.cache/touchstone\` |
| \`TOUCHSTONE_SECRET_<NAME>\` | a secret: its value is replaced with \`[secret:TOUCHSTONE_SECRET_<NAME>]\` before anything is judged, hashed or written. So are values of variables whose names end in \`_KEY\`, \`_TOKEN\`, \`_SECRET\` or \`_PASSWORD\` |
| \`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\`, \`GOOGLE_API_KEY\`, \`DEEPSEEK_API_KEY\`, \`OPENAI_COMPATIBLE_API_KEY\`, and each as \`…_BASE_URL\` | the keys for [models](models.md), and addresses to use instead of the provider's; \`run\` also reads them from \`.env\` in the current folder, but a variable that is set wins |
| \`NO_COLOR\` | no colours |

\`scripts/draw-cli-docs.ts\` draws this page from the options in \`src/cli/\`: edit them, then run \`npm run docs\`.
`;

/** Draws the page for these commands. An option that the first command has too is only named in the others. */
export function drawCliDocs(commands: readonly CommandSpec[]): string {
  return [HEAD, ...commands.map((command) => drawCommand(command, commands)), EXIT_CODES].join('\n');
}

function drawCommand(command: CommandSpec, commands: readonly CommandSpec[]): string {
  const { about, options, examples = [] } = command;
  const [first] = commands;
  const before =
    first === undefined || first === command ? [] : optionTexts(first.options).map(([, text]) => drawOption(text));
  const texts = optionTexts(options).map(([, text]) => text);
  const rows = texts.map(drawOption).filter((row) => !before.includes(row));
  const shared = texts.filter((text) => before.includes(drawOption(text))).map(({ flags }) => `\`${longFlag(flags)}\``);
  return [
    `## \`touchstone ${usageOf(command)}\``,
    '',
    about,
    '',
    ...(rows.length === 0 ? [] : ['| option | what it does |', '|---|---|', ...rows, '']),
    ...(first === undefined || shared.length === 0 ? [] : [`As in \`${first.name}\`: ${shared.join(', ')}.`, '']),
    ...(examples.length === 0 ? [] : ['```sh', ...examples, '```', '']),
  ].join('\n');
}

/** Returns the long name of an option: `--json` of `-j, --json`. */
function longFlag(flags: string): string {
  return flags.split(' ').find((word) => word.startsWith('--')) ?? flags;
}

function drawOption({ flags, help, shown, env = [] }: OptionText): string {
  const variables = env.length === 0 ? '' : `. Variable: ${env.map((name) => `\`${name}\``).join(', or ')}`;
  const byDefault = shown === undefined ? '' : ` (default: \`${shown}\`)`;
  return `| \`${flags}\` | ${inCell(help)}${byDefault}${variables} |`;
}

/** Text of ours inside a cell: angle brackets would be taken for HTML, and a pipe would end the cell. */
function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(CLI_DOCS, drawCliDocs(COMMANDS));

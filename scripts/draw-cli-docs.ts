import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CommandSpec, usageOf } from '../src/cli/command.ts';
import { COMMANDS } from '../src/cli/commands.ts';
import { type OptionText, optionTexts } from '../src/cli/options.ts';

/** Where the page goes. */
export const CLI_DOCS = fileURLToPath(new URL('../docs/cli.md', import.meta.url));

const HEAD = `# The command line

Every command with its options, as \`touchstone <command> --help\` has them. In a clone, write \`npm run touchstone -- <command>\` where this page says
\`touchstone <command>\`; where Touchstone is installed, \`npx touchstone <command>\`.
`;

const EXIT_CODES = `## Exit codes

| code | meaning |
|---:|---|
| 0 | done, and every gate was met |
| 1 | a gate was not met: an agent did not pass, a control did, or a verdict differs |
| 2 | bad input or configuration |
| 3 | infrastructure: no browser, an episode without a result, a campaign that ended early |
| 4 | the campaign paused: a model's provider fails, or its money is spent; \`--resume\` goes on |

\`null\` and \`parrot\` are controls, which are meant to fail: \`run\` exits with 1 if one of them passes. The line \`gates\` says whether they were met.

After Ctrl-C, you get the code 3 only from the program itself: npm and npx exit with codes of their own.

An error is prose on standard error that begins with \`error:\` and ends with a remedy, even with \`--json\`; standard output is then empty. With \`--json\`, \`run\` reports its progress on standard error as
[lines of JSON](../schemas/run-event.json); any line there that is not JSON belongs to such an error.

## Other variables

| variable | meaning |
|---|---|
| \`TOUCHSTONE_BROWSER\` | path of the Chromium or Chrome binary to start |
| \`TOUCHSTONE_CACHE\` | the cache folder: real applications are installed in its \`apps\`; default \`~/.cache/touchstone\` |
| \`TOUCHSTONE_SECRET_<NAME>\` | a secret: its value is replaced with \`[secret:TOUCHSTONE_SECRET_<NAME>]\` before anything is judged, hashed or written. So are values of variables whose names end in \`_KEY\`, \`_TOKEN\`, \`_SECRET\` or \`_PASSWORD\` |
| \`ANTHROPIC_API_KEY\`, \`OPENAI_API_KEY\`, \`GOOGLE_API_KEY\`, \`DEEPSEEK_API_KEY\`, \`OPENAI_COMPATIBLE_API_KEY\`, and each as \`…_BASE_URL\` | the keys for [models](models.md), and addresses to use instead of the provider's; \`run\` also reads them from a file \`.env\` in the current folder, which overrides no variable that is set |
| \`NO_COLOR\` | no colours |

This page is drawn by \`scripts/draw-cli-docs.ts\` from the table that the program itself reads: to change it, change \`src/cli/\`, then run \`npm run docs\`.
`;

/** The page for these commands. */
export function drawCliDocs(commands: readonly CommandSpec[]): string {
  return [HEAD, ...commands.map(drawCommand), EXIT_CODES].join('\n');
}

function drawCommand(command: CommandSpec): string {
  const { about, options, examples = [] } = command;
  const rows = optionTexts(options).map(([, text]) => drawOption(text));
  const shown = ['```sh', ...examples, '```', ''];
  return [
    `## \`touchstone ${usageOf(command)}\``,
    '',
    about,
    '',
    ...(rows.length === 0 ? [] : ['| option | what it does |', '|---|---|', ...rows, '']),
    ...(examples.length === 0 ? [] : shown),
  ].join('\n');
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

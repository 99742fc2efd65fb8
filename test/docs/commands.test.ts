import { expect, it } from 'vitest';
import { commandProblem, commandsIn, missingFile, SCRIPT_COMMANDS } from './command-line.ts';
import { DOCUMENTED } from './documented-commands.ts';

const ours = DOCUMENTED.filter(({ command }) => commandsIn(command).length > 0);
const others = DOCUMENTED.filter(({ command }) => /^(?:sha256sum|diff|jq|head|git|node|curl|export) /.test(command));

it.each([...ours, ...SCRIPT_COMMANDS.map((command) => ({ place: 'package.json', command }))])(
  '$place: $command',
  ({ command }) => {
    expect(commandProblem(command)).toBeNull();
  },
);

it.each(others)('$place: $command names files that are there', ({ command }) => {
  expect(missingFile(command)).toBeNull();
});

it.each([
  ['touchstone frobnicate', "error: unknown command 'frobnicate'"],
  ['touchstone run basics --max-stepz 2', "error: unknown option '--max-stepz'"],
  ['touchstone run basics --max-steps none', '--max-steps <count> must be a number, not "none"'],
  ['touchstone run basics --agent nobody', 'there is no agent "nobody"'],
  ['touchstone rejudge', "error: missing required argument 'bundle'"],
  ['touchstone plan --campaign campaigns/nothing.yaml', 'there is no file "campaigns/nothing.yaml"'],
  ['npm run bench:nothing', 'there is no npm script "bench:nothing"'],
  ['npm run bench:episode:mock -- --frob', "error: unknown option '--frob'"],
  ['npx tsx scripts/nothing.ts webvoyager', 'there is no file "scripts/nothing.ts"'],
  ['npx nothing', 'there is no program "nothing"'],
])('notices what is wrong in: %s', (command, problem) => {
  expect(commandProblem(command)).toContain(problem);
});

it('finds our commands among variables, pipes and comments', () => {
  const shell =
    'A=1 npm run bench -- --json | jq . && touchstone list  # all\nls; echo touchstone\ndiff <(npx tsx a.ts) b\n';
  expect(commandsIn(shell)).toEqual(['npm run bench -- --json', 'touchstone list', 'npx tsx a.ts']);
});

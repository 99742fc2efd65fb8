import type { CommandSpec } from './command.ts';
import { JUDGE_COMMANDS } from './commands/judge.ts';
import { PROGRAM_COMMANDS } from './commands/program.ts';
import { RUN_COMMANDS } from './commands/run.ts';
import { SHARE_COMMANDS } from './commands/share.ts';
import { WRITE_COMMANDS } from './commands/write.ts';

export const ABOUT_PROGRAM = 'This program';

/** Commands below the headings of `--help`. Both are in its order: in each group, the most used come first. */
export const COMMAND_GROUPS: readonly (readonly [heading: string, commands: readonly CommandSpec[]])[] = [
  ['Run', RUN_COMMANDS],
  ['Judge and check', JUDGE_COMMANDS],
  ['Write tasks and surfaces', WRITE_COMMANDS],
  ['Share', SHARE_COMMANDS],
  [ABOUT_PROGRAM, PROGRAM_COMMANDS],
];

export const COMMANDS: readonly CommandSpec[] = COMMAND_GROUPS.flatMap(([, commands]) => commands);

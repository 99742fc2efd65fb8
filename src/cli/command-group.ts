/** The parts of `--help`, in its order: what somebody is about to do. */
export const COMMAND_GROUPS = {
  run: 'Run',
  judge: 'Judge and check',
  write: 'Write tasks and surfaces',
  share: 'Share',
  program: 'This program',
} as const;
export type CommandGroup = keyof typeof COMMAND_GROUPS;

/** Names that other tools have for what a command here does. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  eval: 'run',
  test: 'run',
  view: 'show',
  'show-report': 'show',
  score: 'rejudge',
  diff: 'compare',
};

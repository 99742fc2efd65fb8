import type { CommandSpec } from './command.ts';
import { apps } from './commands/apps.ts';
import { compare } from './commands/compare.ts';
import { completion } from './commands/completion.ts';
import { doctor } from './commands/doctor.ts';
import { init } from './commands/init.ts';
import { list } from './commands/list.ts';
import { merge } from './commands/merge.ts';
import { pack } from './commands/pack.ts';
import { plan } from './commands/plan.ts';
import { publish } from './commands/publish.ts';
import { qualify } from './commands/qualify.ts';
import { record } from './commands/record.ts';
import { recordTask } from './commands/record-task.ts';
import { rejudge } from './commands/rejudge.ts';
import { report } from './commands/report.ts';
import { run } from './commands/run.ts';
import { show } from './commands/show.ts';
import { sign } from './commands/sign.ts';
import { surface } from './commands/surface.ts';
import { transcripts } from './commands/transcripts.ts';
import { validate } from './commands/validate.ts';
import { verify } from './commands/verify.ts';
import { worker } from './commands/worker.ts';

/** Every command, in the order of `--help` and of docs/cli.md: by group, and in a group what is used most first. */
export const COMMANDS: readonly CommandSpec[] = [
  run,
  init,
  show,
  plan,
  list,
  merge,
  worker,
  verify,
  compare,
  report,
  rejudge,
  validate,
  qualify,
  recordTask,
  record,
  transcripts,
  surface,
  publish,
  pack,
  sign,
  doctor,
  apps,
  completion,
];

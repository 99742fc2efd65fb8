import type { CommandSpec } from './command.ts';
import { apps } from './commands/apps.ts';
import { compare } from './commands/compare.ts';
import { doctor } from './commands/doctor.ts';
import { list } from './commands/list.ts';
import { pack } from './commands/pack.ts';
import { plan } from './commands/plan.ts';
import { publish } from './commands/publish.ts';
import { qualify } from './commands/qualify.ts';
import { record } from './commands/record.ts';
import { rejudge } from './commands/rejudge.ts';
import { report } from './commands/report.ts';
import { run } from './commands/run.ts';
import { show } from './commands/show.ts';
import { sign } from './commands/sign.ts';
import { surface } from './commands/surface.ts';
import { transcripts } from './commands/transcripts.ts';
import { validate } from './commands/validate.ts';
import { verify } from './commands/verify.ts';

/** Every command, in the order of `--help` and of docs/cli.md. */
export const COMMANDS: readonly CommandSpec[] = [
  run,
  plan,
  list,
  validate,
  qualify,
  record,
  show,
  transcripts,
  surface,
  report,
  compare,
  publish,
  verify,
  sign,
  pack,
  rejudge,
  apps,
  doctor,
];

import { readFile } from 'node:fs/promises';
import { messageOf } from '../contract/message-of.ts';
import { fact } from '../messages/messages.ts';
import { type Plan, plannedName } from '../plan/plan.ts';
import { counted } from '../report/numbers.ts';
import { DrawSecret } from '../task/draw.ts';
import { UsageError } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

/** A shorter one can be guessed from its hash. */
const LEAST_BYTES = 16;

/** Null without a file. @throws UsageError when it cannot be read, or is too short */
export async function readSecret(file: string | undefined): Promise<DrawSecret | null> {
  if (file === undefined) return null;
  const refused = (why: string) => new UsageError(fact('bad_secret', { file, why, least: LEAST_BYTES }));
  const bytes = await readFile(file).catch((error: unknown) => {
    throw refused(messageOf(error));
  });
  if (bytes.length < LEAST_BYTES) throw refused('short');
  return new DrawSecret(bytes);
}

/** @throws UsageError when the plan's instances were drawn from another secret, or from none */
export function refuseOtherSecret(name: string, { secret_hash: hash }: Plan, secret: DrawSecret | null): void {
  if (hash === secret?.hash) return;
  const drawnFrom = secret === null ? 'a' : 'another';
  throw new UsageError(fact('other_secret', { name, from: hash === undefined ? 'none' : drawnFrom }));
}

/** Notes which tasks have drawn instances. @throws UsageError when none has */
export function noteDrawn({ tasks }: Plan, terminal: Terminal): void {
  const drawn = new Set(tasks.filter(({ task }) => task.draw !== undefined).map(plannedName));
  const listed = new Set(tasks.filter(({ task }) => task.draw === undefined).map(plannedName));
  if (drawn.size === 0) throw new UsageError(fact('nothing_drawn'));
  const others = listed.size === 0 ? '' : `; without "draw", and so as listed: ${[...listed].join(', ')}`;
  terminal.note(`${counted(drawn.size, 'instance')} drawn from the secret${others}`);
}

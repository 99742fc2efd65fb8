import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chownSync } from 'node:fs';
import { makeFolder, removeFolder } from '../../process/own-folder.ts';
import { variablesNamed } from '../../process/variables.ts';
import type { ProcessIsolation } from '../agent.ts';
import { canBubblewrap, SANDBOX_HOME, sandboxed } from './bubblewrap.ts';
import type { ExecCommand } from './command.ts';
import { openGatewaySocket } from './gateway-socket.ts';
import type { Hidden } from './hidden.ts';

/** How a command is started, kept apart as well as this machine can. */
export interface Launch {
  commandLine: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** The user that it runs as; null for ours. */
  uid: number | null;
  isolation: ProcessIsolation;
  /** Takes away what was made for it. The command must have ended. */
  clear(): Promise<void>;
}

/**
 * Makes ready to run a command: in a sandbox; else, as root, as a user that nobody else is; else as ourselves. When that
 * fails, nothing is left of it.
 * @param hidden what it must not see
 */
export async function prepareLaunch(
  command: ExecCommand,
  cdpUrl: string,
  hidden: Hidden,
  canSandbox = canBubblewrap(),
): Promise<Launch> {
  const home = makeFolder('agent');
  try {
    if (canSandbox) return await inSandbox(command, cdpUrl, hidden, home);
    const clear = (): Promise<void> => Promise.resolve(removeFolder(home));
    return { ...unsandboxed(command, home, hidden), cwd: command.folder, clear };
  } catch (error) {
    removeFolder(home);
    throw error;
  }
}

async function inSandbox(command: ExecCommand, cdpUrl: string, hidden: Hidden, home: string): Promise<Launch> {
  const socketFolder = makeFolder('gateway');
  try {
    const commandLine = sandboxed({ command, home, socketFolder, cdpUrl, hidden });
    const socket = await openGatewaySocket(cdpUrl, socketFolder);
    return {
      commandLine,
      cwd: home,
      env: environmentFor(command, SANDBOX_HOME),
      uid: null,
      isolation: { by: 'bubblewrap', network: command.network },
      clear: async () => {
        await socket.close();
        removeFolder(socketFolder);
        removeFolder(home);
      },
    };
  } catch (error) {
    removeFolder(socketFolder);
    throw error;
  }
}

/** As another user where that keeps our files from it. A user that may read them all the same keeps nothing apart. */
function unsandboxed(command: ExecCommand, home: string, hidden: Hidden) {
  const own = { commandLine: [command.program, ...command.args], env: environmentFor(command, home) };
  const uid = randomInt(1_000_000_000, 2_000_000_000);
  const canBeOther = process.getuid?.() === 0 && canRead(uid, [command.program, command.folder, ...command.files]);
  if (!canBeOther) return { ...own, uid: null, isolation: { by: 'none', network: 'shared' } as const };
  chownSync(home, uid, uid);
  const seesOurs = hidden.contracts.some((place) => canRead(uid, [place]));
  const by = seesOurs ? 'none' : 'user';
  return { ...own, uid, isolation: { by, network: 'shared' } as const };
}

/** Whether a user can read all of these places, found out by trying. */
function canRead(uid: number, places: readonly string[]): boolean {
  const script = 'for place in "$@"; do test -r "$place" || exit 1; done';
  const options = { uid, gid: uid, stdio: 'ignore', timeout: 10_000, cwd: '/' } as const;
  return spawnSync('/bin/sh', ['-c', script, 'sh', ...places], options).status === 0;
}

/** All that a command sees of our environment: the path to programs, and what its file names. */
function environmentFor({ env, secrets }: ExecCommand, home: string): Record<string, string> {
  const basic = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home, LANG: 'C.UTF-8' };
  return { ...basic, ...variablesNamed([...env, ...secrets]) };
}

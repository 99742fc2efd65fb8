import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ProcessIsolation } from '../agent.ts';
import { canBubblewrap, SANDBOX_HOME, sandboxed } from './bubblewrap.ts';
import type { ExecCommand } from './command.ts';
import { openGatewaySocket } from './gateway-socket.ts';

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
 * Makes ready to run a command: in a sandbox; else, as root, as a user that nobody else is; else as ourselves.
 * @param hidden places that it must not see: suites hold contracts, and bundles too
 */
export async function prepareLaunch(
  command: ExecCommand,
  cdpUrl: string,
  hidden: readonly string[],
  canSandbox = canBubblewrap(),
): Promise<Launch> {
  const home = mkdtempSync(path.join(tmpdir(), 'touchstone-agent-'));
  const clear = async (): Promise<void> => {
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };
  if (!canSandbox) return { ...unsandboxed(command, home, hidden), cwd: command.folder, clear };
  const socketFolder = mkdtempSync(path.join(tmpdir(), 'touchstone-gateway-'));
  const socket = await openGatewaySocket(cdpUrl, socketFolder);
  return {
    commandLine: sandboxed({ command, home, socketFolder, cdpUrl, hidden }),
    cwd: home,
    env: environmentFor(command, SANDBOX_HOME),
    uid: null,
    isolation: { by: 'bubblewrap', network: command.network },
    clear: async () => {
      await socket.close();
      rmSync(socketFolder, { recursive: true, force: true });
      await clear();
    },
  };
}

/** As another user where that keeps our files from it. A user that may read them all the same keeps nothing apart. */
function unsandboxed(command: ExecCommand, home: string, hidden: readonly string[]) {
  const own = { commandLine: [command.program, ...command.args], env: environmentFor(command, home) };
  const uid = randomInt(1_000_000_000, 2_000_000_000);
  const canBeOther = process.getuid?.() === 0 && canRead(uid, [command.program, command.folder, ...command.files]);
  if (!canBeOther) return { ...own, uid: null, isolation: { by: 'none', network: 'shared' } as const };
  chownSync(home, uid, uid);
  const seesOurs = hidden.some((place) => canRead(uid, [place]));
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
function environmentFor({ env }: ExecCommand, home: string): Record<string, string> {
  const named = env.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const basic = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home, LANG: 'C.UTF-8' };
  return { ...basic, ...Object.fromEntries(named) };
}

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { giveFolder, canRead, otherUser } from '../other-user.ts';
import { clearFolder, makeFolder, removeFolder } from '../own-folder.ts';
import { canBubblewrap, type NoSandbox, SANDBOX_HOME, sandboxed, whyNoBubblewrap } from './bubblewrap.ts';
import type { Confined, Hidden } from './confined.ts';
import { openGatewaySocket } from './relays.ts';

export interface ProcessIsolation {
  /** `none`: it ran as our user, with everything of ours in its reach. */
  by: 'bubblewrap' | 'user' | 'none';
  /** `gateway`: it reached the browser through our gateway, and nothing else. */
  network: 'gateway' | 'shared';
}

export interface SandboxLaunch {
  commandLine: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** The user that it runs as; null for ours. */
  uid: number | null;
  isolation: ProcessIsolation;
  /** Its fresh and empty home: where we find it, and where the program does. */
  home: { here: string; inside: string };
  /** Removes everything made for it. The program must have ended. */
  clear(): Promise<void>;
}

/**
 * Prepares to run a program: in a sandbox; else, as root, as a separate user; else as our own. When that
 * fails, nothing is left of it.
 * @param confinedIn makes the confined command from the path of its home
 * @param hidden what it must not see
 */
export async function prepareLaunch(
  confinedIn: (home: string) => Confined,
  cdpUrl: string,
  hidden: Hidden,
  canSandbox = canBubblewrap(),
): Promise<SandboxLaunch> {
  const home = makeFolder('home');
  try {
    if (canSandbox) return await inSandbox(confinedIn(SANDBOX_HOME), cdpUrl, hidden, home);
    const own = { here: home, inside: home };
    return { ...unsandboxed(confinedIn(home), home, hidden), home: own, clear: () => clearFolder(home) };
  } catch (error) {
    removeFolder(home);
    throw error;
  }
}

async function inSandbox(confined: Confined, cdpUrl: string, hidden: Hidden, home: string): Promise<SandboxLaunch> {
  const socketFolder = makeFolder('gateway');
  try {
    const commandLine = sandboxed({ confined, home, socketFolder, cdpUrl, hidden });
    const socket = await openGatewaySocket(cdpUrl, socketFolder);
    return {
      commandLine,
      cwd: home,
      env: environmentFor(confined, SANDBOX_HOME),
      uid: null,
      isolation: { by: 'bubblewrap', network: confined.network },
      home: { here: home, inside: SANDBOX_HOME },
      clear: async () => {
        await socket.close();
        removeFolder(socketFolder);
        await clearFolder(home);
      },
    };
  } catch (error) {
    removeFolder(socketFolder);
    throw error;
  }
}

/** As another user if that keeps our files from it. A user that may still read them isolates nothing. */
function unsandboxed(confined: Confined, home: string, hidden: Hidden) {
  const { program, args, folder, files, cwd } = confined;
  const own = { commandLine: [program, ...args], cwd: cwd ?? home, env: environmentFor(confined, home) };
  const uid = userFor([program, folder, ...files], home);
  if (uid === null) {
    return { ...own, uid: null, isolation: { by: 'none', network: 'shared' } as const };
  }
  const by = seenBy(uid, hidden.contracts) === null ? 'user' : 'none';
  return { ...own, uid, isolation: { by, network: 'shared' } as const };
}

/** A separate user, who can read these places and has this home; null if there cannot be one. */
function userFor(places: readonly string[], home: string): number | null {
  const uid = otherUser();
  return uid !== null && canRead(uid, places) && giveFolder(uid, home) ? uid : null;
}

/** The parts of a program to start that decide what can isolate it. */
export interface ProcessNeeds {
  /** Its own files, which it has to read: the program among them. */
  places: readonly string[];
  /** Folders that it must not see. One that does not exist yet will be as open as the folder in which it is made. */
  contracts: readonly string[];
}

/** The isolation of a program on this machine, why not by a sandbox, and without any, why not even by a separate user. */
export interface IsolationHere {
  by: ProcessIsolation['by'];
  noSandbox: NoSandbox | null;
  noUser: string | null;
}

export function isolationHere({ places, contracts }: ProcessNeeds): IsolationHere {
  const noSandbox = whyNoBubblewrap();
  if (noSandbox === null) return { by: 'bubblewrap', noSandbox, noUser: null };
  const noUser = whyNoUser(places, contracts);
  return { by: noUser === null ? 'user' : 'none', noSandbox, noUser };
}

function whyNoUser(places: readonly string[], contracts: readonly string[]): string | null {
  const uid = otherUser();
  if (uid === null) return 'only root can choose one';
  const unread = places.find((place) => !canRead(uid, [place]));
  if (unread !== undefined)
    return `it could not read ${unread}, which it needs: let other users read that, or move it to where they can`;
  const home = makeFolder('home');
  try {
    if (!giveFolder(uid, home)) return `it could not reach the folder for temporary files, ${tmpdir()}`;
  } finally {
    removeFolder(home);
  }
  const seen = seenBy(uid, contracts.map(nearestThere));
  return seen === null
    ? null
    : `it could read ${seen}, where suites or bundles lie (chmod o-rx on it, or on a folder above it, keeps it out)`;
}

/** The first of these folders that a user can read; null where it can read none. */
function seenBy(uid: number, contracts: readonly string[]): string | null {
  return contracts.find((place) => canRead(uid, [place])) ?? null;
}

function nearestThere(place: string): string {
  return existsSync(place) ? place : nearestThere(path.dirname(place));
}

/** It sees only the path to programs of our environment, and the variables chosen for it. */
function environmentFor({ variables }: Confined, home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home, LANG: 'C.UTF-8', ...variables };
}

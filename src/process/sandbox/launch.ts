import { canOwn, canRead, otherUser } from '../other-user.ts';
import { clearFolder, makeFolder, removeFolder } from '../own-folder.ts';
import { canBubblewrap, type NoSandbox, SANDBOX_HOME, sandboxed, whyNoBubblewrap } from './bubblewrap.ts';
import type { Confined } from './confined.ts';
import { openGatewaySocket } from './gateway-socket.ts';
import type { Hidden } from './hidden.ts';

/** Isolation of a process from our files and network. */
export interface ProcessIsolation {
  /** `none`: it ran as our user, with everything of ours in its reach. */
  by: 'bubblewrap' | 'user' | 'none';
  /** `gateway`: it reached the browser through our gateway, and nothing else. */
  network: 'gateway' | 'shared';
}

/** A program to start, kept apart as well as this machine can. */
export interface SandboxLaunch {
  commandLine: readonly string[];
  cwd: string;
  env: Record<string, string>;
  /** The user that it runs as; null for ours. */
  uid: number | null;
  isolation: ProcessIsolation;
  /** Its fresh and empty home: where we find it, and where the program does. */
  home: { here: string; inside: string };
  /** Takes away what was made for it. The program must have ended. */
  clear(): Promise<void>;
}

/**
 * Makes ready to run a program: in a sandbox; else, as root, as a user that nobody else is; else as ourselves. When that
 * fails, nothing is left of it.
 * @param confinedIn what is to be run, given where it finds its home
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

/** As another user where that keeps our files from it. A user that may read them all the same keeps nothing apart. */
function unsandboxed(confined: Confined, home: string, hidden: Hidden) {
  const { program, args, folder, files, cwd } = confined;
  const own = { commandLine: [program, ...args], cwd: cwd ?? home, env: environmentFor(confined, home) };
  const uid = userFor([program, folder, ...files], home);
  if (uid === null) {
    return { ...own, uid: null, isolation: { by: 'none', network: 'shared' } as const };
  }
  const seesOurs = hidden.contracts.some((place) => canRead(uid, [place]));
  const by = seesOurs ? 'none' : 'user';
  return { ...own, uid, isolation: { by, network: 'shared' } as const };
}

/** A user that nobody else is, who can read these places and has this home; null where there cannot be one. */
function userFor(places: readonly string[], home: string): number | null {
  const uid = otherUser();
  return uid !== null && canRead(uid, places) && canOwn(uid, home) ? uid : null;
}

/**
 * The way in which this machine keeps programs apart, and why not in a sandbox. Whether a user of its own keeps anything apart
 * depends on who may read the suite, which every launch tries.
 */
export function isolationHere(): { by: ProcessIsolation['by']; noSandbox: NoSandbox | null } {
  const noSandbox = whyNoBubblewrap();
  if (noSandbox === null) return { by: 'bubblewrap', noSandbox };
  const home = makeFolder('home');
  try {
    return { by: userFor([process.execPath], home) === null ? 'none' : 'user', noSandbox };
  } finally {
    removeFolder(home);
  }
}

/** All that it sees of our environment is the path to programs, and what was chosen for it. */
function environmentFor({ variables }: Confined, home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home, LANG: 'C.UTF-8', ...variables };
}

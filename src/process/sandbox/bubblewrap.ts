import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import path from 'node:path';
import { onPath } from '../environment.ts';
import type { Confined, Hidden } from './confined.ts';
import { behindRelay, behindWayIn } from './relays.ts';
import { isUnder, realPathOf, viewOf } from './view.ts';

export interface SandboxNeeds {
  confined: Confined;
  /** The one folder that it may write to, its `/tmp` and its home. */
  home: string;
  /** The folder of the socket that leads to the gateway. */
  socketFolder: string;
  cdpUrl: string;
  hidden: Hidden;
}

/** Where it finds its home, and the socket. */
export const SANDBOX_HOME = '/tmp';
const SOCKETS = '/run/touchstone';

/** Places that programs need to run at all, if they exist: programs, libraries, names, certificates. */
export const SYSTEM: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/nix/store',
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/fonts',
  '/etc/gai.conf',
  '/etc/group',
  '/etc/host.conf',
  '/etc/hosts',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/nsswitch.conf',
  '/etc/os-release',
  '/etc/passwd',
  '/etc/pki',
  '/etc/protocols',
  '/etc/resolv.conf',
  '/etc/services',
  '/etc/ssl',
];

let works: boolean | null = null;

/** Whether Bubblewrap is installed and isolates. Containers often forbid it, so it is tried once. */
export function canBubblewrap(): boolean {
  if (actsAsAnother()) return false;
  works ??= whyNoBubblewrap() === null;
  return works;
}

/** A reason why nothing can be isolated in a sandbox here, and what would help. */
export interface NoSandbox {
  why: string;
  remedy: string;
  /** Whether nothing but its installation is known to be missing. */
  isOnlyAbsent?: true;
}

/** Tries Bubblewrap. Returns why it does not isolate; null if it does. */
export function whyNoBubblewrap(): NoSandbox | null {
  if (process.platform !== 'linux') return { why: 'it is for Linux alone', remedy: 'run Touchstone on Linux' };
  if (actsAsAnother())
    return { why: 'it does not start for a process that acts as another user', remedy: 'run as one user' };
  if (onPath('bwrap') === null) return { why: 'bwrap is not installed', ...remedyWithIt() };
  const reported = whyFailed('bwrap', [...ALONE, ...readOnly(SYSTEM), '--', 'true']);
  return reported === null ? null : { why: `bwrap reports “${reported}”`, remedy: remedyFor(reported) };
}

/** A container masks parts of `/proc`, and the kernel then refuses a new one inside it. */
function remedyFor(reported: string): string {
  return /mount proc\b/.test(reported)
    ? 'start the container with --security-opt systempaths=unconfined'
    : `let it make user namespaces: ${ALLOW}`;
}

/** Checks with another program whether it would isolate, before a user installs it. */
function remedyWithIt(): Pick<NoSandbox, 'remedy' | 'isOnlyAbsent'> {
  const install = 'install Bubblewrap (Debian: apt-get install bubblewrap)';
  const reported =
    onPath('unshare') === null || whyFailed('unshare', NAMESPACES) === null
      ? null
      : whyFailed('unshare', ['--map-root-user', ...NAMESPACES]);
  if (reported === null) return { remedy: install, isOnlyAbsent: true };
  return { remedy: `first let it make user namespaces, for unshare reports “${reported}”: ${ALLOW}; then ${install}` };
}

/** The end of a program's output if it failed; else null. */
export function whyFailed(program: string, args: readonly string[], uid: number | null = null): string | null {
  const user = uid === null ? {} : { uid, gid: uid, cwd: '/' };
  // Options of ours for Node may name files that a Node in the sandbox cannot see.
  const { NODE_OPTIONS: _ours, ...env } = process.env;
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 10_000, env, ...user });
  if (status === 0) return null;
  const reported = (stderr ?? '').replace(`${program}: `, '').replaceAll(/\s+/g, ' ').trim();
  return (reported || (error?.message ?? 'nothing')).slice(0, MAX_SAID);
}

const MAX_SAID = 400;
const ALLOW =
  'look at kernel.unprivileged_userns_clone (1), kernel.apparmor_restrict_unprivileged_userns (0) and user.max_user_namespaces (more than 0) with sysctl; a container forbids them by its seccomp profile';
/** The options of `unshare` for the kinds of namespaces of a sandbox. */
const NAMESPACES = '--mount --pid --fork --net --ipc --uts true'.split(' ');

function actsAsAnother(): boolean {
  return process.getuid?.() !== process.geteuid?.();
}

/**
 * No process, user, host name or network of this machine; what runs in it ends with us. Started by root it would keep
 * root's capabilities, and could take away what hides a folder: it gets none. Without any, it would still own `/proc/sys`, and
 * with it the program that the kernel starts when another one crashes.
 */
const ALONE =
  '--unshare-all --cap-drop ALL --die-with-parent --new-session --proc /proc --remount-ro /proc --dev /dev'.split(' ');

/** The command line that runs a program in its own sandbox. Of two places, the later lies over the earlier. */
export function sandboxed({ confined, home, socketFolder, cdpUrl, hidden }: SandboxNeeds): string[] {
  const { program, args, folder, cwd, files, readable, network } = confined;
  const inner = [program, ...args];
  const node = network === 'shared' ? [] : installationOf(process.execPath);
  const needed = [...SYSTEM, ...modulesOf(folder), ...installationOf(program), ...node];
  const view = viewOf({ needed, asked: [folder, ...readable], hidden });
  const options = ['--bind', home, SANDBOX_HOME];
  for (const { place, shows } of view) {
    if (shows === 'nothing') options.push('--tmpfs', place);
    else options.push(...readOnly([place]));
  }
  if (network === 'shared') options.push('--share-net');
  else options.push('--ro-bind', socketFolder, SOCKETS);
  const isHidden = view.some(({ place, shows }) => shows === 'nothing' && isUnder(place, program));
  options.push(...readOnly(isHidden ? [...files, program] : files), '--chdir', cwd ?? SANDBOX_HOME);
  const commandLine = network === 'shared' ? inner : behindRelay(cdpUrl, SOCKETS, inner);
  return ['bwrap', ...ALONE, ...options, '--', ...commandLine];
}

/** A program of ours that serves others, and may be tricked into running their code. */
export interface Served {
  commandLine: readonly string[];
  /** Where it listens, on loopback. */
  port: number;
  /** The one folder that it may write to, and where in it it works. */
  folder: string;
  cwd: string;
  /** Other places that it needs to read. */
  readable: readonly string[];
  /** The folder of the socket for its requests. */
  wayIn: string;
}

/**
 * The arguments of `bwrap` by which such a program sees its folder, the system and what it needs, and no process but its own. Its
 * network is empty: nothing is asked there but itself, by the relay before it.
 */
export function sandboxedServer({ commandLine, port, folder, cwd, readable, wayIn }: Served): string[] {
  const places = [...SYSTEM, ...installationOf(process.execPath), ...readable];
  const seen = ['--tmpfs', '/tmp', ...readOnly(places), '--bind', folder, folder, '--ro-bind', wayIn, SOCKETS];
  return [...ALONE, ...seen, '--chdir', cwd, '--', ...behindWayIn(port, SOCKETS, commandLine)];
}

export function readOnly(places: readonly string[]): string[] {
  return places.flatMap((place) => ['--ro-bind-try', place, place]);
}

/** The `node_modules` in which Node looks for a script's imports. */
function modulesOf(folder: string): string[] {
  const found: string[] = [];
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) found.push(path.join(at, 'node_modules'));
  return found;
}

/** The installation of a program, as named and as resolved: `/opt/x` of `/opt/x/bin/program`. */
function installationOf(program: string): string[] {
  const files = [program, realPathOf(program)].filter((file) => file !== null);
  return files.flatMap((file) => {
    const folder = path.dirname(file);
    if (path.basename(folder) !== 'bin') return file;
    const above = path.dirname(folder);
    // The bin of a whole machine or home is not an installation.
    return [path.parse(above).root, homedir()].includes(above) ? folder : above;
  });
}

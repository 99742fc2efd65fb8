import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { packageFolderOf } from '../packages.ts';
import { canBubblewrap, type NoSandbox, readOnly, whyFailed, whyNoBubblewrap } from './bubblewrap.ts';
import { realPathOf, viewOf } from './view.ts';

/** An instruction of the kernel's packet filter, as `struct sock_filter` has it. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const [LOAD, EQUALS, RETURN] = [0x20, 0x15, 0x06];
/** The offsets in `struct seccomp_data`. */
const [NUMBER, ARCHITECTURE, FIRST_ARGUMENT] = [0, 4, 16];
const AF_NETLINK = 16;
const ALLOW = 0x7fff_0000;
const FAIL_WITH_EAFNOSUPPORT = 0x0005_0000 | 97;

/** The kernel's names for a processor and its system call `socket`. */
const SOCKET: Partial<Record<NodeJS.Architecture, readonly [architecture: number, number: number]>> = {
  x64: [0xc000_003e, 41],
  arm64: [0xc000_00b7, 198],
};

/**
 * A seccomp filter that refuses netlink sockets, for Bubblewrap. Chromium asks one whether it is online: in an empty network the
 * answer would be no, which pages see. Without an answer it takes itself to be online. Null if the processor is unknown.
 */
function noNetlink(processor: NodeJS.Architecture = process.arch): Buffer | null {
  const named = SOCKET[processor];
  if (named === undefined) return null;
  const [architecture, socket] = named;
  const program: readonly Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [EQUALS, 0, 5, architecture],
    [LOAD, 0, 0, NUMBER],
    [EQUALS, 0, 3, socket],
    [LOAD, 0, 0, FIRST_ARGUMENT],
    [EQUALS, 0, 1, AF_NETLINK],
    [RETURN, 0, 0, FAIL_WITH_EAFNOSUPPORT],
    [RETURN, 0, 0, ALLOW],
  ];
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  }
  return bytes;
}

/** Files of the machine that Chromium and the Node of its door need: libraries, fonts, file types, its administrator's policies. */
const PLACES: readonly string[] = [
  '/lib',
  '/lib32',
  '/lib64',
  '/usr/lib',
  '/usr/lib32',
  '/usr/lib64',
  '/nix/store',
  '/usr/local/share/fonts',
  ...[
    'X11',
    'alsa',
    'chromium',
    'drirc.d',
    'fontconfig',
    'fonts',
    'glib-2.0',
    'libdrm',
    'mime',
    'nodejs',
    'vulkan',
  ].map((name) => `/usr/share/${name}`),
  '/etc/alternatives',
  '/etc/chromium',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/etc/opt/chrome',
  '/var/cache/fontconfig',
];

/** Where packages are installed for all users, Touchstone with its suites among them. */
const GLOBAL_PACKAGES = '/usr/lib/node_modules';
/** A file of every Chromium, next to its binary. */
const OF_CHROMIUM = 'icudtl.dat';

const NODE = '/run/touchstone/node';
const SHELL = '/run/touchstone/sh';
/** Any port will do: the network of the sandbox is empty. */
const DOOR_PORT = 3128;

/** The ends of pipes that Bubblewrap and the door are started with, after the debugging pipe. */
const [CHANNEL_FD, FILTER_FD] = [5, 6];

/** Listens in the empty network for the process outside, hands it the socket, and ends. */
const OPEN_DOOR = `
const server = require('node:net').createServer().listen(${DOOR_PORT}, '0.0.0.0', () => {
  process.send('door', server, () => process.exit());
});
`;
const OPEN_DOOR_AND_START = `( "$0" -e "$1" & ); shift; unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE; exec "$@" ${CHANNEL_FD}>&-`;

/** The address of a browser's door in its sandbox. All of 127.0.0.0/8 is one socket, which sees the requested address. */
export function doorAt(number: number): string {
  return `127.${(number >> 16) & 0xff}.${(number >> 8) & 0xff}.${number & 0xff}:${DOOR_PORT}`;
}

/** A browser to start, which sees its profile, its own files and the machine's libraries and fonts, in an empty network. */
export interface ConfinedBrowser {
  binary: string;
  flags: readonly string[];
  profile: string;
}

export interface ConfinedStart {
  program: string;
  args: string[];
  /** The kinds of the file descriptors from the fifth on. */
  stdio: ['ipc', 'pipe'];
}

export function confinedStart({ binary, flags, profile }: ConfinedBrowser): ConfinedStart {
  const inside = [SHELL, '-c', OPEN_DOOR_AND_START, NODE, OPEN_DOOR, binary, ...flags];
  const own = ['--tmpfs', '/tmp', '--bind', profile, profile, '--chdir', profile];
  const args = [...apartFor(binary), ...own, '--seccomp', String(FILTER_FD), '--', ...inside];
  return { program: 'bwrap', args, stdio: ['ipc', 'pipe'] };
}

/** Resolves with the door once it is open: the socket that a started browser's connections arrive at. The caller closes it. */
export async function doorOf(child: ChildProcess): Promise<net.Server> {
  const filter = child.stdio[FILTER_FD];
  // Read to its end too, or waiting for the end of the process would never finish.
  if (filter instanceof net.Socket)
    filter
      .on('error', () => {})
      .resume()
      .end(noNetlink() ?? '');
  return await new Promise((resolve) => {
    // The channel is left to end with the process: Node misses the end of one that has been disconnected.
    child.once('message', (_message, handle) => {
      if (handle instanceof net.Server) resolve(handle);
    });
  });
}

const known = new Map<string, NoSandbox | null>();

/** Returns why a user (null: the current one) cannot start a browser in its own sandbox; null if they can. */
export function whyNotConfined(binary: string, uid: number | null): NoSandbox | null {
  const key = `${uid === null} ${binary}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const why = findOutWhy(binary, uid);
  known.set(key, why);
  return why;
}

function findOutWhy(binary: string, uid: number | null): NoSandbox | null {
  if (!canBubblewrap()) return whyNoBubblewrap();
  if (noNetlink() === null)
    return { why: `no filter is written for ${process.arch}`, remedy: 'run it on x64 or arm64' };
  if (!existsSync(path.join(folderOf(binary), OF_CHROMIUM))) {
    const why = `${binary} is a wrapper, not the binary of Chromium itself`;
    return { why, remedy: 'name the binary that it starts' };
  }
  const reported = whyFailed('bwrap', [...apartFor(binary), '--', NODE, '-e', '0'], uid);
  return reported === null
    ? null
    : { why: `bwrap reports “${reported}”`, remedy: 'use a Node and a Chromium that all users can read' };
}

/** No process, user, host name, network or file of this machine, except as listed; the kernel ends all of it with us. */
function apartFor(binary: string): string[] {
  const variables = ['FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH'];
  const named = variables.flatMap((name) =>
    (process.env[name] ?? '').split(':').filter((place) => path.isAbsolute(place)),
  );
  const needed = [...PLACES, ...named, folderOf(binary)];
  const own = packageFolderOf(import.meta.dirname);
  const hidden = { contracts: [GLOBAL_PACKAGES, ...(own === null ? [] : [own])], around: [] };
  const view = viewOf({ needed, asked: [], hidden });
  return [
    ...'--unshare-all --uid 1000 --gid 1000 --cap-drop ALL --die-with-parent --proc /proc --dev /dev'.split(' '),
    // Chromium's own sandbox writes to files of its processes; root would own the rest.
    ...readOnly(['/proc/sys']),
    ...view.flatMap(({ place, shows }) => (shows === 'nothing' ? ['--tmpfs', place] : readOnly([place]))),
    '--ro-bind',
    process.execPath,
    NODE,
    '--ro-bind',
    '/bin/sh',
    SHELL,
  ];
}

function folderOf(binary: string): string {
  return path.dirname(realPathOf(binary) ?? binary);
}

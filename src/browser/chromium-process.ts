import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Server } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { killGroup } from '../process/process-tree.ts';
import { confinedStart, doorOf } from '../process/sandbox/browser.ts';
import { fact } from '../messages/messages.ts';
import { variablesNamed } from '../process/environment.ts';
import { BrowserError } from './error.ts';

/** A Chromium process that we started, and all that it has started in turn. */
export interface ChromiumProcess {
  /** The debugging pipe, in both directions. */
  pipe: { input: Readable; output: Writable };
  /** Resolves with the one way out of its sandbox; null where it has none and shares our network. */
  door: Promise<Server> | null;
  /** Rejects with `browser_not_started` when the process ends, or cannot be started. Resolves never. */
  failed: Promise<never>;
  ended: Promise<void>;
  isRunning: () => boolean;
  kill: () => void;
  /** To be called once it has started: later output is not kept. */
  hasStarted: () => void;
  /** An error with the reason why the browser did not start, and what it printed. */
  launchFailed: (why: string, cause?: unknown) => BrowserError;
}

export interface StartOptions {
  binary: string;
  flags: string[];
  /** Also its home, so that it leaves nothing elsewhere. */
  profile: string;
  /** The user that it runs as, and who must own the profile; null for ours. */
  uid: number | null;
  /** Whether it draws on the user's screen. Without, it gets no key to it. */
  headed?: boolean;
  isConfined?: boolean;
}

/** Number of characters that are kept of what Chromium prints while it starts. */
const MAX_PRINTED = 100_000;
/** Time, in ms, that its output may stay open after the end of the process: a helper that outlives it may hold it. */
const DRAIN_MS = 1_000;

/** The variables of ours that Chromium and its libraries need in a sandbox. */
const NEEDED_CONFINED = 'PATH LANG LC_ALL LD_LIBRARY_PATH FONTCONFIG_FILE FONTCONFIG_PATH'.split(' ');
/** Those that it, its wrapper or its libraries need elsewhere: programs, fonts, its sandbox, a screen. */
const NEEDED = [
  ...NEEDED_CONFINED,
  ...`TMPDIR XDG_DATA_DIRS CHROME_DEVEL_SANDBOX DISPLAY WAYLAND_DISPLAY XAUTHORITY
  XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS SystemRoot SystemDrive TEMP TMP LOCALAPPDATA PROGRAMFILES`.split(/\s+/),
];

/** Longest path, in bytes, that a folder may have in which Chromium puts a socket: the path of a socket is 107 at most. */
const MAX_SOCKET_FOLDER = 107 - '/org.chromium.Chromium.XXXXXX/SingletonSocket'.length;

/** One that is killed leaves the folder of its socket behind, so that is put where all of it goes. */
function temporaryIn(profile: string): { TMPDIR?: string } {
  return Buffer.byteLength(profile) <= MAX_SOCKET_FOLDER ? { TMPDIR: profile } : {};
}

/** The key of the user's screen (X11), which lies in the home that the browser does not get. */
function screenKey(): { XAUTHORITY?: string } {
  const file = path.join(homedir(), '.Xauthority');
  return process.env['XAUTHORITY'] === undefined && existsSync(file) ? { XAUTHORITY: file } : {};
}

/** The same language and time zone on every machine; nothing of the user's home, and no key of a provider. */
function environmentFor({
  profile,
  headed,
  isConfined,
}: Required<Pick<StartOptions, 'profile' | 'headed' | 'isConfined'>>): NodeJS.ProcessEnv {
  return {
    ...variablesNamed(isConfined ? NEEDED_CONFINED : NEEDED),
    HOME: profile,
    ...(headed ? screenKey() : {}),
    XDG_CONFIG_HOME: profile,
    XDG_CACHE_HOME: profile,
    ...temporaryIn(profile),
    LANGUAGE: 'en_US',
    TZ: 'UTC',
  };
}

export function startChromium({
  binary,
  flags,
  profile,
  uid,
  headed = false,
  isConfined = false,
}: StartOptions): ChromiumProcess {
  const start = isConfined
    ? confinedStart({ binary, flags, profile })
    : { program: binary, args: flags, stdio: [] as const };
  const child = spawn(start.program, start.args, {
    // A group of its own: Ctrl-C reaches us first, and we can end the whole tree.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', ...start.stdio],
    ...(uid === null ? {} : { uid, gid: uid }),
    env: environmentFor({ profile, headed, isConfined }),
  });
  const [, , , output, input] = child.stdio;
  if (!isWritable(output) || !isReadable(input)) throw new Error('the debugging pipe was not opened');
  let printed = '';
  const launchFailed = (why: string, cause?: unknown): BrowserError =>
    new BrowserError(
      fact('browser_not_started', { why, printed: printed !== '', output: printed.slice(-2000).trimEnd().split('\n') }),
      cause,
    );
  const ended = endOf(child);
  const hasStarted = onText(child, (text) => {
    if (printed.length < MAX_PRINTED) printed += text;
  });
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', (error) => {
      reject(launchFailed(error.message, error));
    });
    // Read at its end, since its last output explains why.
    const onEnd = (): void => {
      reject(launchFailed(`it ended at once (${child.signalCode ?? `exit code ${child.exitCode}`})`));
    };
    void ended.then(onEnd);
  });
  // Once it has started, its end is not a failure.
  failed.catch(() => {});
  const isRunning = (): boolean => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    pipe: { input, output },
    door: isConfined ? doorOf(child) : null,
    failed,
    hasStarted,
    ended,
    isRunning,
    // All of its group was ended with it, and another process may have its number since.
    kill: () => {
      if (isRunning()) endAll(child);
    },
    launchFailed,
  };
}

/** Passes on the output of the process, until a call ends that. */
function onText(child: ChildProcess, listener: (text: string) => void): () => void {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  for (const stream of streams) stream.setEncoding('utf8').on('data', listener);
  return () => {
    // Still read, or the process would stand still at a full pipe.
    for (const stream of streams) stream.off('data', listener).resume();
  };
}

/** The end of a process and of its output. The rest of its group is ended with it. */
function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => {
      endAll(child);
      setTimeout(resolve, DRAIN_MS).unref();
    });
    child.once('close', () => {
      resolve();
    });
  });
}

function endAll({ pid }: ChildProcess): void {
  if (pid !== undefined) killGroup(pid);
}

function isWritable(stream: Readable | Writable | null | undefined): stream is Writable {
  return stream !== null && stream !== undefined && 'write' in stream;
}

function isReadable(stream: Readable | Writable | null | undefined): stream is Readable {
  return stream !== null && stream !== undefined && 'read' in stream;
}

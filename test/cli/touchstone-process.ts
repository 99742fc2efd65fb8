import { execFile, spawn } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SOURCES = ['--import', import.meta.resolve('tsx'), path.join(ROOT, 'src/cli/main.ts')];
const BUILT = process.env['TOUCHSTONE_TEST_PROGRAM'];
/** Arguments of Node that start Touchstone in any folder: built if whole runs of tests have built it, else from its sources. */
export const PROGRAM: readonly string[] = BUILT === undefined ? SOURCES : [BUILT];

/** The program as a process of its own, to be ended the hard way. */
export function startTouchstone(...args: string[]) {
  return startTouchstoneWith({}, ...args);
}

/** As {@link startTouchstone}, with these variables set. */
export function startTouchstoneWith(variables: Readonly<Record<string, string>>, ...args: string[]) {
  return started(PROGRAM, variables, args);
}

/** As {@link startTouchstone}, with the code of this process: a queue connects only programs with the same. */
export function startFromSources(...args: string[]) {
  return started(SOURCES, {}, args);
}

function started(program: readonly string[], variables: Readonly<Record<string, string>>, args: readonly string[]) {
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  const waiting: { text: string; resolve: () => void }[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    for (const { text: wanted, resolve } of waiting) if (printed.includes(wanted)) resolve();
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return {
    pid: child.pid ?? 0,
    ended,
    said: () => printed,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Resolves when this has been printed about how it goes; rejects when it has ended without it. */
    says: (text: string) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ text, resolve });
        if (printed.includes(text)) resolve();
        void ended.then(() => reject(new Error(`ended without saying "${text}". It said:\n${printed}`)));
      }),
  };
}

export async function typedIn(folder: string, ...args: string[]): Promise<{ exit: number; out: string; err: string }> {
  return await new Promise((resolve) => {
    const child = execFile(process.execPath, [...PROGRAM, ...args], { cwd: folder }, (_error, out, err) => {
      resolve({ exit: child.exitCode ?? -1, out, err });
    });
  });
}

// Runs a slow command, and prints how long it has taken so far. Needs only Node itself, since setup.mjs runs before anything is installed.
import { spawn } from 'node:child_process';

/** Time between two drawings on a terminal, and between two lines elsewhere, in ms. */
const REDRAWN_EVERY = 1_000;
const LOGGED_EVERY = 10_000;

/**
 * Runs a command under a line with its purpose: drawn in place on a terminal, elsewhere a line every ten seconds.
 * The command's own output is above it; with `quiet`, only its standard error.
 * @returns its exit code; 1 where it could not be started
 */
export async function told(title, command, args, options = {}) {
  const [code] = await toldTogether([{ title, command, args, ...options }], options);
  return code;
}

/**
 * Runs commands side by side under one line, which names those that are still at it.
 * @returns their exit codes
 */
export async function toldTogether(commands, { isTerminal = process.stderr.isTTY } = {}) {
  const begun = performance.now();
  const seconds = () => `${Math.round((performance.now() - begun) / 1000)} s`;
  const running = new Set(commands.map(({ title }) => title));
  const line = () => `${[...running].join('; ')} …`;
  const print = (text) => {
    process.stderr.write(isTerminal ? `\r\u001B[K${text}` : text);
  };
  process.stderr.write(isTerminal ? line() : `${line()}\n`);
  const draw = () => {
    print(`${line()} ${seconds()}${isTerminal ? '' : '\n'}`);
  };
  const timer = setInterval(draw, isTerminal ? REDRAWN_EVERY : LOGGED_EVERY);
  const codes = await Promise.all(
    commands.map(async ({ title, command, args, quiet = false, ...options }) => {
      const stdio = ['ignore', quiet ? 'ignore' : 'pipe', 'pipe'];
      const code = await run(command, args, { ...options, stdio }, print);
      running.delete(title);
      print(`${title}: ${code === 0 ? 'done' : 'failed'} after ${seconds()}\n`);
      return code;
    }),
  );
  clearInterval(timer);
  return codes;
}

/** Runs it, and hands on whole lines of all that it prints. */
function run(command, args, options, print) {
  return new Promise((resolve) => {
    const child = spawn(command, args, options);
    for (const stream of [child.stdout, child.stderr].filter((each) => each !== null)) {
      let rest = '';
      stream.setEncoding('utf8').on('data', (text) => {
        const end = (rest + text).lastIndexOf('\n') + 1;
        if (end > 0) print((rest + text).slice(0, end));
        rest = (rest + text).slice(end);
      });
      stream.on('end', () => {
        if (rest !== '') print(`${rest}\n`);
      });
    }
    child.on('error', ({ message }) => {
      print(`${message}\n`);
      resolve(1);
    });
    child.on('close', (code) => {
      resolve(code ?? 1);
    });
  });
}

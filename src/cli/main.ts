#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { EXIT } from './exit-code.ts';
import { exitCleanly } from './interruption.ts';
import { main } from './program.ts';
import { allWritten, endQuietlyWithReader, typedFolder } from './streams.ts';

/** The exit code of Node if a top-level await never settles. */
const UNSETTLED = 13;

const streams = [process.stdout, process.stderr];
streams.forEach(endQuietlyWithReader);
exitCleanly();
let isDone = false;
// Code of a suite can end this process by process.exit(0) or an await that never settles, which CI would take for a pass.
process.on('exit', (code) => {
  if (isDone || (code !== 0 && code !== UNSETTLED)) return;
  writeSync(
    2,
    'error: loaded code ended Touchstone before it was done\n  remedy: look for process.exit in your suite, app or surface\n',
  );
  process.exitCode = EXIT.badInput;
});
const folder = typedFolder(process.env, process.cwd());
if (folder !== null) {
  enter(folder);
  // Processes that this one starts have their own folders.
  delete process.env['INIT_CWD'];
}
const exit = await main(process.argv.slice(2));
isDone = true;
await Promise.all(streams.map(allWritten));
// An app of a suite may have left a timer or a socket, which would keep the process alive.
process.exit(exit);

/** Enters the folder in which a command was typed, which may be gone by now. */
function enter(typed: string): void {
  try {
    process.chdir(typed);
  } catch (error) {
    const what = error instanceof Error && 'code' in error ? String(error.code) : 'an error';
    writeSync(2, `error: the folder where this was typed cannot be entered (${what})\n  remedy: type it elsewhere\n`);
    process.exit(EXIT.badInput);
  }
}

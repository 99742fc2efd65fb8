import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { installedPackage } from '../installed-package.ts';
import type { ServerFile } from './server-file.ts';

/** What is started: a program, and the arguments that come before the server's own. */
export interface Program {
  command: string;
  args: readonly string[];
  /** What is known of its version before it runs; null where only its own word will tell. */
  version: string | null;
}

/** The program of a server; or why there is none here, and what to do about that. */
export function programOf({ file, server }: ServerFile): Program | { missing: string } {
  if (server.package !== undefined && server.script !== undefined) return packaged(server.package, server.script);
  if (server.command !== undefined) return named(server.command, path.dirname(file), `${file} names`);
  const variable = server.command_from ?? '';
  const command = process.env[variable] ?? '';
  if (command === '')
    return { missing: `the variable ${variable} is not set; set it to the path of the server’s program` };
  return named(command, process.cwd(), `${variable} names`);
}

function packaged(name: string, script: string): Program | { missing: string } {
  const found = installedPackage(name);
  if ('missing' in found) return found;
  return { command: process.execPath, args: [path.join(found.folder, script)], version: found.version };
}

function named(command: string, base: string, whoNames: string): Program | { missing: string } {
  const place = command.includes('/') ? path.resolve(base, command) : onPath(command);
  if (place === null || !existsSync(place))
    return { missing: `${whoNames} "${command}", which is not there; install it or mend the path` };
  if (/\.[cm]?js$/.test(place)) return { command: process.execPath, args: [place], version: null };
  if (isExecutable(place)) return { command: place, args: [], version: null };
  return { missing: `${whoNames} "${command}", which is no program that we may run; make it executable` };
}

function onPath(command: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => path.join(folder, command)).find(isExecutable) ?? null;
}

function isExecutable(place: string): boolean {
  try {
    accessSync(place, constants.X_OK);
    return statSync(place).isFile();
  } catch {
    return false;
  }
}

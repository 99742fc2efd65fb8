import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
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

const Manifest = z.looseObject({ version: z.string() });

function packaged(name: string, script: string): Program | { missing: string } {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  for (const folder of folders) {
    try {
      const found = path.join(folder, name);
      const { version } = Manifest.parse(JSON.parse(readFileSync(path.join(found, 'package.json'), 'utf8')));
      return { command: process.execPath, args: [path.join(found, script)], version: `${name} ${version}` };
    } catch {
      // Not here; further up perhaps.
    }
  }
  return { missing: `${name} is not installed; run "npm install ${name}"` };
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

import path from 'node:path';
import { existsSync, realpathSync } from 'node:fs';
import { isExecutable, onPath } from '../../process/environment.ts';
import { packageFolderOf, installedPackage } from '../../process/packages.ts';
import type { Server, ServerFile } from './server-file.ts';
import type { Hidden } from '../../process/sandbox/confined.ts';
import type { ProcessNeeds } from '../../process/sandbox/launch.ts';
import { markedFolders } from '../../process/sandbox/marked-folders.ts';
import { CONTRACT_MARKS } from '../../task/suite-file.ts';

export interface Program {
  command: string;
  /** Passed before the server's own arguments. */
  args: readonly string[];
  folder: string;
  /** Readable even if there are contracts in the folders around them. */
  files: readonly string[];
  /** Null before it runs, if nothing names it. */
  version: string | null;
}

/** The program of a server, or why it is missing here, with a remedy. */
export function programOf({ file, server }: ServerFile): Program | { missing: string } {
  const { launch } = server;
  const fetching = fetcherIn(server);
  if (fetching !== null) return { missing: fetching };
  switch (launch.by) {
    case 'package':
      return packaged(launch.name, launch.script, path.dirname(file));
    case 'command':
      return named(launch.command, path.dirname(file), `${file} names`);
    case 'variable':
      return fromVariable(launch.variable);
  }
}

const FETCHERS: ReadonlySet<string> = new Set([
  'npx',
  'pnpx',
  'bunx',
  'uvx',
  'pnpm dlx',
  'yarn dlx',
  'npm exec',
  'bun x',
  'pipx run',
]);
const CONTAINERS: ReadonlySet<string> = new Set(['docker', 'podman']);

/** Why a command that fetches what it runs cannot start without a network; null if it needs none. */
function fetcherIn({ launch, args, network }: Server): string | null {
  if (launch.by !== 'command' || network === 'shared') return null;
  const name = path.basename(launch.command);
  const words = [name, ...args.filter((each) => !each.startsWith('-')).slice(0, 1)].join(' ');
  const install = 'install the server and name its file, such as "command: ./node_modules/my-server/cli.js"';
  if (CONTAINERS.has(name)) return `"${name}" starts containers, which cannot reach the browser from here; ${install}`;
  const found = [name, words].find((each) => FETCHERS.has(each));
  if (found === undefined) return null;
  return `"${found}" downloads what it runs, but a tool server has no network; ${install}, or set "network: shared"`;
}

function fromVariable(variable: string): Program | { missing: string } {
  const command = process.env[variable] ?? '';
  if (command !== '') return named(command, process.cwd(), `${variable} names`);
  return { missing: `the variable ${variable} is not set; set it to the path of the server’s program` };
}

function packaged(name: string, script: string, near: string): Program | { missing: string } {
  const found = installedPackage(name, near);
  if ('missing' in found) return found;
  const { folder, version } = found;
  return { command: process.execPath, args: [path.join(folder, script)], folder, files: [folder], version };
}

function named(command: string, base: string, origin: string): Program | { missing: string } {
  const place = command.includes('/') ? path.resolve(base, command) : onPath(command);
  if (place === null || !existsSync(place))
    return { missing: `${origin} "${command}", which does not exist; install it or fix the path` };
  const real = realpathSync(place);
  const folder = packageFolderOf(path.dirname(real)) ?? path.dirname(real);
  if (/\.[cm]?js$/.test(place))
    return { command: process.execPath, args: [place], folder, files: [place], version: null };
  if (isExecutable(place)) return { command: place, args: [], folder, files: [place], version: null };
  return { missing: `${origin} "${command}", which is not executable; run chmod +x on it` };
}

/**
 * Lists what a server must not see in the places that it may read: suites, bundles, `.git` folders, and our own folder.
 * @throws Error when there are too many folders to search
 */
export function hiddenFromServers(places: readonly string[]): Hidden {
  const contracts = markedFolders(places, CONTRACT_MARKS);
  if (contracts === null) {
    const where = places.join(', ');
    throw new Error(`it may read ${where}: too many folders to search for suites; move it to a folder of its own`);
  }
  const ours = packageFolderOf(import.meta.dirname);
  return { contracts, around: ours === null ? [] : [ours] };
}

/** Null if there are too many folders to search: the server will not start. */
export function processNeedsOf(places: readonly string[], readable: readonly string[]): ProcessNeeds | null {
  try {
    return { places, contracts: hiddenFromServers(readable).contracts };
  } catch {
    return null;
  }
}

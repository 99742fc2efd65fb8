import path from 'node:path';
import type { Confined } from '../../process/sandbox/confined.ts';
import { variablesNamed, isExecutable, onPath, programsOnPath } from '../../process/environment.ts';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { sha256Hex } from '../../contract/canonical.ts';
import { didYouMean } from '../../contract/nearest-name.ts';
import { parsePlainly } from '../../contract/validation/problem.ts';
import { isUnder, realPathOf } from '../../process/sandbox/view.ts';
import { Id } from '../../task/instance.ts';
import { formatProblem, inFile } from '../../task/source/source.ts';
import { parseText } from '../../task/source/text.ts';
import { fact } from '../../messages/messages.ts';
import { AgentError } from '../agent.ts';

/** A command that is to drive the browser, as described in its file. */
export interface ExecCommand {
  /** As in rows. */
  id: string;
  program: string;
  args: readonly string[];
  /** The folder of its file: where it works, and what it may read. */
  folder: string;
  /** Its own files; they can be read even where the folder is hidden. */
  files: readonly string[];
  /** Other places that it needs to read. */
  readable: readonly string[];
  /** Variables of ours that it is given, by name. */
  env: readonly string[];
  /** The same, of those whose values are secrets. */
  secrets: readonly string[];
  /** `shared` if its file asks for the network. */
  network: 'gateway' | 'shared';
}

/** The command as it is run: in its own folder, with the variables that it names. */
export function confinedCommand({ env, secrets, ...command }: ExecCommand): Confined {
  const { program, args, folder, files, readable, network } = command;
  const variables = variablesNamed([...env, ...secrets]);
  return { program, args, folder, cwd: folder, files, readable, variables, network };
}

const VARIABLE = z.string().regex(/^[A-Za-z_]\w*$/, 'is not the name of a variable; its value does not stand here');
const Place = z.string().min(1);

/** `my-agent.yaml`: a command that drives the browser. */
export const AgentFile = z.strictObject({
  /** As in rows; by default the name of the file. */
  id: Id.optional(),
  /** A program on the PATH, or, with a slash, a path from the file's folder. */
  command: Place,
  args: z.array(z.string()).default([]),
  /** Names of variables of the environment that it is given. */
  env: z.array(VARIABLE).default([]),
  /** Variables whose values are secrets: the record never holds these values. */
  secrets: z.array(VARIABLE).default([]),
  /** The network within its reach: `gateway`, the browser alone; `shared`, the network of this machine too, for example a model. */
  network: z.enum(['gateway', 'shared']).default('gateway'),
  /** Files of its folder that it needs, such as a module. It sees them even if the folder is hidden, and they are hashed with it. */
  files: z.array(Place).default([]),
  /** Other folders that it needs to read, relative to the file. */
  readable: z.array(Place).default([]),
});

/** A command, and the hashes of what it was read from. */
export interface LoadedCommand {
  command: ExecCommand;
  /** SHA-256 of each of its own files, by name. */
  hashes: Record<string, string>;
}

const SCRIPTS = ['.mjs', '.cjs', '.js'];
const DESCRIPTIONS = ['.yaml', '.yml', '.json'];
const KNOWN = [...SCRIPTS, '.py', ...DESCRIPTIONS];

/**
 * Reads an agent's file: a script, or a description of a command.
 * @throws AgentError naming file, field and remedy.
 */
export function loadCommand(name: string): LoadedCommand {
  const file = path.resolve(name);
  const extension = path.extname(file);
  if (!KNOWN.includes(extension)) {
    throw new AgentError(fact('agent_file_of_unknown_kind', { file: name, kinds: KNOWN }));
  }
  const text = readText(name, file);
  refuseRoot(name, path.dirname(file));
  if (DESCRIPTIONS.includes(extension)) return described(name, file, text);
  const script = {
    id: idOf(name, file),
    args: [file],
    folder: path.dirname(file),
    files: [file],
    readable: [],
    env: [],
    secrets: [],
    network: 'gateway',
  } as const;
  const hashes = { [path.basename(file)]: sha256Hex(text) };
  if (extension !== '.py') return { command: { ...script, program: process.execPath }, hashes };
  return { command: { ...script, ...pythonOf(name, 'python3', script.folder) }, hashes };
}

function described(name: string, file: string, text: string): LoadedCommand {
  const source = parseText(text, path.extname(file) === '.json' ? 'json' : 'yaml');
  if (!source.ok) throw badFields(source.problems.map((problem) => ({ file: name, ...problem })));
  const parsed = parsePlainly(AgentFile, source.value.value);
  if (!parsed.ok) throw badFields(inFile(name, source.value, parsed.problems));
  const { id = idOf(name, file), command, args, env, secrets, network, readable } = parsed.value;
  const beside = parsed.value.files.map((each) => fileBeside(name, path.dirname(file), each));
  const folder = path.dirname(file);
  const own = args.map((arg) => path.resolve(folder, arg)).filter((place) => isFileIn(folder, place));
  const files = [file, ...own, ...beside];
  const isPython = /^python3?$/.test(command);
  const found = isPython
    ? pythonOf(name, command, folder)
    : { program: programOf(name, command, folder), readable: [] };
  const places = readable.map((place) => path.resolve(folder, place));
  for (const place of places) refuseRoot(name, place);
  const hashes = files.map((each) => [path.relative(folder, each), sha256Hex(readFileSync(each))]);
  return {
    command: {
      id,
      program: found.program,
      args,
      folder,
      files,
      env,
      secrets,
      network,
      readable: [...found.readable, ...places],
    },
    hashes: Object.fromEntries(hashes),
  };
}

/** The id of an agent whose file gives none: the name of the file, or of its folder if the file is called `agent`. */
function idOf(name: string, file: string): string {
  const own = path.basename(file, path.extname(file));
  const id = (own === 'agent' ? path.basename(path.dirname(file)) : own)
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 80);
  if (Id.safeParse(id).success) return id;
  throw new AgentError(fact('agent_file_without_id', { file: name }));
}

function readText(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT') throw new AgentError(fact('agent_file_missing', { file: name }));
    throw new AgentError(fact('agent_file_unreadable', { file: name, error: String(code) }));
  }
}

/** A whole machine holds everybody's suites and bundles. */
function refuseRoot(name: string, place: string): void {
  const real = realPathOf(place);
  if (real !== null && real === path.parse(real).root)
    throw new AgentError(fact('agent_reads_everything', { file: name, folder: real }));
}

/** The program that a command means: a path of its own, or the first of that name on the PATH. */
function programOf(name: string, command: string, folder: string): string {
  const isPath = command.includes('/') || command.includes(path.sep);
  const place = path.resolve(folder, command);
  const found = isPath ? (isExecutable(place) ? place : null) : onPath(command);
  if (found !== null) return found;
  const asked = { file: name, command: JSON.stringify(command) };
  if (isPath) throw new AgentError(fact('agent_program_not_executable', asked));
  throw new AgentError(fact('agent_program_not_found', { ...asked, meant: didYouMean(command, programsOnPath()) }));
}

/** The Python on the PATH itself, and where it is installed: what stands on the PATH is often only a way to it. */
function pythonOf(name: string, command: string, folder: string): Pick<ExecCommand, 'program' | 'readable'> {
  const python = programOf(name, command, folder);
  try {
    const script = 'import sys; print(sys.executable); print(sys.base_prefix)';
    const printed = execFileSync(python, ['-c', script], { encoding: 'utf8', timeout: 30_000 });
    const [program = python, ...readable] = printed.trim().split('\n');
    return { program, readable };
  } catch {
    throw new AgentError(fact('agent_python_broken', { file: name, python }));
  }
}

/** Whether a place is a file below a folder, links followed. */
function fileBeside(name: string, folder: string, file: string): string {
  const place = path.resolve(folder, file);
  if (isFileIn(folder, place)) return place;
  throw new AgentError(fact('agent_file_outside_folder', { file: name, name: JSON.stringify(file) }));
}

function isFileIn(folder: string, place: string): boolean {
  const [above, real] = [realPathOf(folder), realPathOf(place)];
  return above !== null && real !== null && statSync(real).isFile() && isUnder(above, real);
}

function badFields(problems: readonly Parameters<typeof formatProblem>[0][]): AgentError {
  return new AgentError(fact('agent_file_has_problems', { problems: problems.map(formatProblem) }));
}

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
import { Id, idOfFileName } from '../../task/instance.ts';
import { formatProblem, inFile } from '../../task/source/source.ts';
import { parseText } from '../../task/source/text.ts';
import { fact } from '../../messages/messages.ts';
import { AgentError } from '../agent.ts';

export interface ExecCommand {
  id: string;
  program: string;
  args: readonly string[];
  /** The folder of its file: where it works, and what it may read. */
  folder: string;
  /** Its own files; they can be read even where the folder is hidden. */
  files: readonly string[];
  readable: readonly string[];
  env: readonly string[];
  secrets: readonly string[];
  network: 'gateway' | 'shared';
}

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
  env: z.array(VARIABLE).default([]),
  /** Names of environment variables that hold secrets; their values are never recorded. */
  secrets: z.array(VARIABLE).default([]),
  /** The network within its reach: `gateway`, the browser alone; `shared`, the network of this machine too, for example a model. */
  network: z.enum(['gateway', 'shared']).default('gateway'),
  /** Files of its folder that it needs, such as a module. They are visible even if the folder is hidden, and hashed. */
  files: z.array(Place).default([]),
  readable: z.array(Place).default([]),
});

export interface LoadedCommand {
  command: ExecCommand;
  /** SHA-256 of each of its own files, by name. */
  hashes: Record<string, string>;
}

const SCRIPTS = ['.mjs', '.cjs', '.js'];
const DESCRIPTIONS = ['.yaml', '.yml', '.json'];
const KNOWN = [...SCRIPTS, '.py', ...DESCRIPTIONS];

export function loadCommand(name: string): LoadedCommand {
  const file = path.resolve(name);
  const extension = path.extname(file);
  if (!KNOWN.includes(extension)) {
    throw new AgentError(fact('agent_file_of_unknown_kind', { file: name, kinds: KNOWN }));
  }
  const text = readText(name, file);
  refuseRoot(name, path.dirname(file));
  if (DESCRIPTIONS.includes(extension)) return described(name, file, text);
  const folder = path.dirname(file);
  const script = { id: idOf(name, file), args: [file], folder, files: [file], env: [], secrets: [] };
  const node = { program: process.execPath, readable: [] };
  const runtime = extension === '.py' ? pythonOf(name, 'python3', folder) : node;
  const hashes = { [path.basename(file)]: sha256Hex(text) };
  return { command: { ...script, ...runtime, network: 'gateway' }, hashes };
}

function described(name: string, file: string, text: string): LoadedCommand {
  const source = parseText(text, path.extname(file) === '.json' ? 'json' : 'yaml');
  if (!source.ok) throw badFields(source.problems.map((problem) => ({ file: name, ...problem })));
  const parsed = parsePlainly(AgentFile, source.value.value);
  if (!parsed.ok) throw badFields(inFile(name, source.value, parsed.problems));
  const { id = idOf(name, file), command, args, env, secrets, network } = parsed.value;
  const folder = path.dirname(file);
  const listed = parsed.value.files.map((each) => fileBelow(name, folder, each));
  const own = args.map((arg) => path.resolve(folder, arg)).filter((place) => isFileIn(folder, place));
  const files = [file, ...own, ...listed];
  const isPython = /^python3?$/.test(command);
  const runtime = isPython
    ? pythonOf(name, command, folder)
    : { program: programOf(name, command, folder), readable: [] };
  const places = parsed.value.readable.map((place) => path.resolve(folder, place));
  for (const place of places) refuseRoot(name, place);
  const hashes = files.map((each) => [path.relative(folder, each), sha256Hex(readFileSync(each))]);
  const readable = [...runtime.readable, ...places];
  return {
    command: { id, program: runtime.program, args, folder, files, env, secrets, network, readable },
    hashes: Object.fromEntries(hashes),
  };
}

/** Default id of an agent: the name of its file, or of its folder if the file is called `agent`. */
function idOf(name: string, file: string): string {
  const own = path.basename(file, path.extname(file));
  const id = idOfFileName(own === 'agent' ? path.basename(path.dirname(file)) : own);
  if (id !== null) return id;
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

/** Root holds all suites and bundles of the machine. */
function refuseRoot(name: string, place: string): void {
  const real = realPathOf(place);
  if (real !== null && real === path.parse(real).root)
    throw new AgentError(fact('agent_reads_everything', { file: name, folder: real }));
}

function programOf(name: string, command: string, folder: string): string {
  const isPath = command.includes('/') || command.includes(path.sep);
  const place = path.resolve(folder, command);
  const found = isPath ? (isExecutable(place) ? place : null) : onPath(command);
  if (found !== null) return found;
  const asked = { file: name, command: JSON.stringify(command) };
  if (isPath) throw new AgentError(fact('agent_program_not_executable', asked));
  throw new AgentError(fact('agent_program_not_found', { ...asked, meant: didYouMean(command, programsOnPath()) }));
}

/** Finds the interpreter itself, and its installation: the one on the PATH may only be a shim. */
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

function fileBelow(name: string, folder: string, file: string): string {
  const place = path.resolve(folder, file);
  if (isFileIn(folder, place)) return place;
  throw new AgentError(fact('agent_file_outside_folder', { file: name, name: JSON.stringify(file) }));
}

/** Follows links. */
function isFileIn(folder: string, place: string): boolean {
  const [above, real] = [realPathOf(folder), realPathOf(place)];
  return above !== null && real !== null && statSync(real).isFile() && isUnder(above, real);
}

function badFields(problems: readonly Parameters<typeof formatProblem>[0][]): AgentError {
  return new AgentError(fact('agent_file_has_problems', { problems: problems.map(formatProblem) }));
}

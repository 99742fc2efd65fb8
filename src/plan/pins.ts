import type { Fact } from '../messages/message.ts';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { ModelFacts } from '../agent/agent-choice.ts';
import { fact } from '../messages/messages.ts';
import { BundleError } from '../bundle/errors.ts';
import { BrowserIdentity, rowFields } from '../bundle/row-fields.ts';
import { Decider, Isolation, WorldKind } from '../bundle/row-words.ts';
import { Sha256 } from '../bundle/sha256.ts';
import { hashJson, canonicalJson } from '../contract/canonical.ts';
import { SEMANTICS, Semantics } from '../contract/semantics.ts';
import { CALL_TIMEOUT_MS } from '../episode/act.ts';
import { SurfaceTraits } from '../surface/traits.ts';
import { TaskQualification } from './task-qualification.ts';
import { packageRoot, packageVersion, versionIn } from './package-root.ts';
import { isThisMachine } from '../contract/this-machine.ts';

/** The code, machine and files that a campaign ran on, recorded before the first episode. */
export const Pins = z.strictObject({
  bench_version: rowFields.bench_version,
  /** Null when the package is not in a git checkout. */
  bench_commit: rowFields.bench_commit,
  bench_dirty: z.boolean().nullable(),
  /** Version of the package, and a hash of the versions of all that judges and of its libraries. */
  judge_version: z.string(),
  /** The versions of all that judges; proofs have to be of these. */
  semantics: Semantics,
  node: z.string(),
  platform: z.string(),
  cpu: z.string(),
  browser: BrowserIdentity,
  /** The surfaces that take part, and how their episodes are kept apart. */
  surfaces: z.record(z.string(), SurfaceTraits.extend({ isolation: Isolation })),
  /** Who decides, by agent. */
  deciders: z.record(z.string(), Decider),
  /** Longest time of one tool call. */
  call_timeout_ms: z.int(),
  /** Pins of each model, by agent. */
  models: z.record(z.string(), ModelFacts.extend({ prompt_hash: Sha256 })),
  /** Hashes of the files that describe entrants, by the id of what they describe. */
  entrant_hashes: z.record(z.string(), z.string()),
  /** Hash of everything that a suite's world is made of, by suite. */
  app_hashes: z.record(z.string(), z.string()),
  /** The kind of world of each task, by `suite/task`: modes are derived from it. */
  world_kinds: z.record(z.string(), WorldKind),
  /** SHA-256 of the archive that answers, by suite, for those that have one. */
  archive_hashes: z.record(z.string(), z.string()),
  /** Hashes of the transcripts and cassettes that are replayed, by file. */
  transcript_hashes: z.record(z.string(), z.string()),
  /** The proof of each task that has a current one, by suite and task. */
  qualifications: z.record(z.string(), TaskQualification),
});
export type Pins = z.infer<typeof Pins>;

/**
 * Returns what is pinned under a name.
 * @throws BundleError when nothing is: `campaign.json` is not of the plan that it holds.
 */
export function pinned<T>(pins: Readonly<Record<string, T>>, name: string, what: string): T {
  const found = Object.hasOwn(pins, name) ? pins[name] : undefined;
  if (found !== undefined) return found;
  throw new BundleError(fact('not_pinned', { what, name }));
}

/** Adds to what the campaign has found what this package and machine are. */
export async function readPins(
  found: Pick<
    Pins,
    | 'browser'
    | 'surfaces'
    | 'deciders'
    | 'models'
    | 'entrant_hashes'
    | 'app_hashes'
    | 'world_kinds'
    | 'archive_hashes'
    | 'transcript_hashes'
    | 'qualifications'
  >,
): Promise<Pins> {
  const root = packageRoot();
  const version = packageVersion();
  // If we are installed in a user's project, the repository around us is theirs.
  const isOurs = (await git(root, 'rev-parse', '--show-toplevel')) === (await realpath(root));
  const commit = isOurs ? await git(root, 'rev-parse', 'HEAD') : null;
  const changes = isOurs ? await git(root, 'status', '--porcelain') : null;
  return {
    bench_version: version,
    bench_commit: commit,
    bench_dirty: changes === null ? null : changes !== '',
    judge_version: judgeVersion(),
    semantics: { ...SEMANTICS },
    node: process.version,
    platform: `${os.platform()} ${os.arch()} ${os.release()}`,
    cpu: `${os.cpus().length} × ${os.cpus()[0]?.model ?? 'unknown'}`,
    call_timeout_ms: CALL_TIMEOUT_MS,
    ...found,
  };
}

/** Version of the package, with a hash of the versions of all that judges and of its libraries. */
export function judgeVersion(): string {
  const judge = hashJson({ semantics: SEMANTICS, libraries: judgeLibraries() });
  return `${packageVersion()}+${judge.slice(0, 12)}`;
}

/** The versions of the libraries that the judge leans on. */
export function judgeLibraries(): Record<string, string> {
  return Object.fromEntries(JUDGE_LIBRARIES.map((name) => [name, installedVersion(name)]));
}

const JUDGE_LIBRARIES = ['canonicalize', 'css-what', 'pngjs', 're2js', 'zod'];

/** The version of a library that code here gets, found as Node finds it: in the nearest node_modules that has it. */
function installedVersion(name: string): string {
  for (let folder = import.meta.dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const library = path.join(folder, 'node_modules', name);
    if (existsSync(path.join(library, 'package.json'))) return versionIn(library);
  }
  throw new Error(`the library ${name} is not installed`);
}

/** All that a hash of files is made over. */
export interface HashedTree {
  /** Folders. */
  places: readonly string[];
  /** Whether a file or a folder below one of the places is left out. */
  leftOut?: (found: string, place: string, is: 'file' | 'folder') => boolean;
}

/** SHA-256 over the names and bytes of all files in folders, in sorted order. */
export async function hashTree(tree: HashedTree): Promise<string> {
  const hash = createHash('sha256');
  for (const { name, file } of await hashedFiles(tree)) {
    const bytes = await readFile(file);
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** Lists the files that {@link hashTree} reads, with their names as seen from their places. */
export async function hashedFiles({
  places,
  leftOut = () => false,
}: HashedTree): Promise<{ name: string; file: string }[]> {
  const found = [];
  for (const place of places) found.push(...(await filesOf(place, leftOut)));
  return found;
}

async function filesOf(
  place: string,
  leftOut: NonNullable<HashedTree['leftOut']>,
): Promise<{ name: string; file: string }[]> {
  const files: string[] = [];
  const folders = [place];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const found = path.join(folder, entry.name);
      if (entry.isFile() && !leftOut(found, place, 'file')) files.push(found);
      if (entry.isDirectory() && !leftOut(found, place, 'folder')) folders.push(found);
    }
  }
  return files
    .map((file) => ({ name: path.relative(place, file).split(path.sep).join('/'), file }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function git(root: string, ...args: string[]): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', ['-C', root, ...args]);
    return stdout.trim();
  } catch {
    return null;
  }
}

type Browser = Pins['browser'];

/** Names the pinned browser in rows for which it was not launched by us. */
export function standInFor(ours: Browser): Browser {
  const { isolation: _, ...known } = ours;
  return { ...known, ours: false, sandbox: null };
}

/** Whether a browser is the pinned one, may replace it in one worker among others, or is another. */
export function againstPinned(browser: Browser, expected: Browser): 'pinned' | 'stand_in' | 'other' {
  const text = canonicalJson(browser);
  if (text === canonicalJson(expected)) return 'pinned';
  return text === canonicalJson(standInFor(expected)) ? 'stand_in' : 'other';
}

/** The hash that rows of a task have: of its proof, with app and judge; null if no current proof shows that it qualifies. */
export function qualificationHashOf(
  {
    qualifications,
    judge_version: judge,
    app_hashes: apps,
  }: Pick<Pins, 'qualifications' | 'judge_version' | 'app_hashes'>,
  suite: string,
  task: string,
): string | null {
  const name = `${suite}/${task}`;
  const proof = Object.hasOwn(qualifications, name) ? qualifications[name] : undefined;
  if (proof?.verdict !== 'qualified') return null;
  return hashJson({ judge_version: judge, app_hash: apps[suite] ?? null, proof });
}

/** Lists contradictions in the pins of models, in words: whether a model was asked, and where, follows from them. */
export function modelPinProblems({ models, transcript_hashes: replayed }: Pins): Fact[] {
  return Object.entries(models).flatMap(([agent, model]) => {
    const kind = model.endpoint_kind;
    const cassette = kind === 'cassette' ? undefined : Object.keys(replayed).find((file) => isCassetteOf(agent, file));
    return [
      ...(fitsEndpoint(model) ? [] : [fact('model_not_of_endpoint', { kind, agent })]),
      ...(cassette === undefined ? [] : [fact('model_has_cassette', { kind, agent, cassette })]),
    ];
  });
}

/** As the name of a cassette ends: with its agent and its iteration. */
function isCassetteOf(agent: string, file: string): boolean {
  const [, name = ''] = /^(.+)\.\d+\.jsonl$/s.exec(file) ?? [];
  return name.endsWith(`.${agent}`);
}

/** Whether a model's name, its host and the kind of its endpoint can be of one endpoint: a model that is asked has no others. */
function fitsEndpoint({
  model_id: id,
  model_endpoint: host,
  endpoint_kind: kind,
}: Pick<ModelFacts, 'model_id' | 'model_endpoint' | 'endpoint_kind'>): boolean {
  if (kind === 'cassette') return host === null;
  if (host === null || !URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  if (isThisMachine(hostname) !== (kind === 'mock')) return false;
  return kind === 'provider' ? !id.startsWith('custom:') : id.startsWith('custom:') && id.endsWith(`@${hostname}`);
}

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
import { CampaignError } from './error.ts';
import { TaskQualification } from './task-qualification.ts';
import { packageRoot, packageVersion, versionIn } from './package-root.ts';
import { isThisMachine } from '../contract/this-machine.ts';

/** The code, machine and files of a campaign, recorded before the first episode. */
export const Pins = z.strictObject({
  bench_version: rowFields.bench_version,
  /** Null outside a git checkout. */
  bench_commit: rowFields.bench_commit,
  bench_dirty: z.boolean().nullable(),
  /** The version of the package, and a hash of the versions of the judge and its libraries. */
  judge_version: z.string(),
  /** The versions of the judge; proofs have to be of these. */
  semantics: Semantics,
  node: z.string(),
  platform: z.string(),
  cpu: z.string(),
  browser: BrowserIdentity,
  surfaces: z.record(z.string(), SurfaceTraits.extend({ isolation: Isolation })),
  /** By agent. */
  deciders: z.record(z.string(), Decider),
  call_timeout_ms: z.int(),
  /** By agent. */
  models: z.record(z.string(), ModelFacts.extend({ prompt_hash: Sha256 })),
  /** Hashes of the files of entrants, by the id in them. */
  entrant_hashes: z.record(z.string(), z.string()),
  app_hashes: z.record(z.string(), z.string()),
  /** The files of small apps with the beginnings of their hashes, so that a comparison can name those that changed. */
  app_files: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** By `suite/task`; modes are derived from it. */
  world_kinds: z.record(z.string(), WorldKind),
  archive_hashes: z.record(z.string(), z.string()),
  /** Hashes of the replayed transcripts and cassettes, by file. */
  transcript_hashes: z.record(z.string(), z.string()),
  /** Current proofs, by `suite/task`. */
  qualifications: z.record(z.string(), TaskQualification),
});
export type Pins = z.infer<typeof Pins>;

/** @throws BundleError when nothing is pinned under the name, so `campaign.json` is not of its plan. */
export function pinned<T>(pins: Readonly<Record<string, T>>, name: string, what: string): T {
  const found = Object.hasOwn(pins, name) ? pins[name] : undefined;
  if (found !== undefined) return found;
  throw new BundleError(fact('not_pinned', { what, name }));
}

/** Adds what this package and machine are. */
export async function readPins(
  found: Pick<
    Pins,
    | 'browser'
    | 'surfaces'
    | 'deciders'
    | 'models'
    | 'entrant_hashes'
    | 'app_hashes'
    | 'app_files'
    | 'world_kinds'
    | 'archive_hashes'
    | 'transcript_hashes'
    | 'qualifications'
  >,
): Promise<Pins> {
  const root = packageRoot();
  const version = packageVersion();
  // Installed in a user's project, the repository around us is theirs.
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

export function judgeVersion(): string {
  const judge = hashJson({ semantics: SEMANTICS, libraries: judgeLibraries() });
  return `${packageVersion()}+${judge.slice(0, 12)}`;
}

export function judgeLibraries(): Record<string, string> {
  return Object.fromEntries(JUDGE_LIBRARIES.map((name) => [name, installedVersion(name)]));
}

const JUDGE_LIBRARIES = ['canonicalize', 'css-what', 'pngjs', 're2js', 'zod'];

/** The version that code here gets: in the nearest node_modules that has it. */
function installedVersion(name: string): string {
  for (let folder = import.meta.dirname; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const library = path.join(folder, 'node_modules', name);
    if (existsSync(path.join(library, 'package.json'))) return versionIn(library);
  }
  throw new Error(`the library ${name} is not installed`);
}

export interface HashedTree {
  places: readonly string[];
  leftOut?: (found: string, place: string, is: 'file' | 'folder') => boolean;
}

/** SHA-256 over names and bytes of all files, sorted. */
export async function hashTree(tree: HashedTree): Promise<string> {
  return (await hashesOfTree(tree)).hash;
}

/** The hash of {@link hashTree}, and the beginning of the hash of each file. */
export async function hashesOfTree(tree: HashedTree): Promise<{ hash: string; files: Record<string, string> }> {
  const hash = createHash('sha256');
  const files: [string, string][] = [];
  for (const { name, file } of await hashedFiles(tree)) {
    const bytes = await readFile(file).catch(throwVanished);
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
    const folder = path.basename(file.slice(0, -name.length));
    files.push([`${folder}/${name}`, createHash('sha256').update(bytes).digest('hex').slice(0, 12)]);
  }
  return { hash: hash.digest('hex'), files: Object.fromEntries(files) };
}

/** The files of {@link hashTree}, with names relative to their places. */
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
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(throwVanished)) {
      const found = path.join(folder, entry.name);
      if (entry.isFile() && !leftOut(found, place, 'file')) files.push(found);
      if (entry.isDirectory() && !leftOut(found, place, 'folder')) folders.push(found);
    }
  }
  return files
    .map((file) => ({ name: path.relative(place, file).split(path.sep).join('/'), file }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** @throws CampaignError `file_vanished` when a file was deleted after it was listed */
function throwVanished(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error;
  throw new CampaignError(fact('file_vanished', { file: error.path ?? '' }), error);
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

/** The pinned browser in rows for which we did not launch it. */
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

/** The hash of a task's proof with app and judge; null unless a current proof qualifies it. */
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

/** Contradictions in the pins of models: whether a model was asked, and where, follows from them. */
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

/** The name of a cassette ends with its agent and its iteration. */
function isCassetteOf(agent: string, file: string): boolean {
  const [, name = ''] = /^(.+)\.\d+\.jsonl$/s.exec(file) ?? [];
  return name.endsWith(`.${agent}`);
}

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

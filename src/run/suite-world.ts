import path from 'node:path';
import type { WorldKind } from '../bundle/row-words.ts';
import { hashJson } from '../contract/canonical.ts';
import { taskName } from '../task/instance.ts';
import type { Path } from '../contract/validation/problem.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { readSource } from '../task/source/read-source.ts';
import { formatPath } from '../task/source/source.ts';
import type { Task } from '../task/schema.ts';
import { type LoadedSite, type LoadedWorld, reportsState } from '../task/suite-paths.ts';
import { Archive } from '../world/archive/archive.ts';
import type { ArchiveChoice } from '../world/archive/archive-world.ts';
import { loadApp, namingFile } from '../world/load-app.ts';
import { type Clock, type CreateApp, startClock } from '../world/app.ts';
import { fact } from '../messages/messages.ts';
import { WorldError } from '../world/error.ts';
import type { Site } from '../world/local.ts';
import { outsideApp } from '../world/outside-app/outside-app.ts';
import { realAppOf } from '../world/real-app/define-real-app.ts';
import { staticSite } from '../world/static-site.ts';
import type { WorldThread } from '../world/thread/world-thread.ts';
import type { TlsIdentity } from '../world/tls-identity.ts';
import type { World } from '../world/world-proxy.ts';
import { hashesOfTree, hashTree } from '../plan/pins.ts';
import { givenFiles } from '../plan/plan-campaign.ts';
import { hashesOf } from '../task/given-files.ts';
import { isNoPartOfApp, type SuiteFiles, worldTree } from './world-files.ts';

export type SuiteWorld = LocalSites | RecordedWeb;

interface LocalSites {
  kind: 'local';
  sites: Site[];
  realApps: ReadonlySet<string>;
  stateAddresses: ReadonlyMap<string, StateAddress>;
  /** Hash of the origins and their files. */
  appHash: string;
  files: Record<string, string>;
}

interface RecordedWeb {
  kind: 'archive';
  choice: ArchiveChoice;
  recordedAs: WorldKind;
  /** Hash of the archive and of the query parameters that are ignored in it. */
  appHash: string;
}

/**
 * @param impatient whether to give up a program as soon as it listens, but not at its port
 * @throws WorldError when an app cannot be loaded or an archive cannot be opened
 */
export async function loadSuiteWorld({ world, ...suite }: LoadedSuite, impatient = false): Promise<SuiteWorld> {
  const loaded = world.kind === 'local' ? await loadSites(world, suite, impatient) : await readArchive(world);
  const giving = suite.tasks.filter(({ task }) => task.files !== undefined);
  if (giving.length === 0) return loaded;
  // Proofs hold for the files that tasks give, too.
  const given = await Promise.all(giving.map(async ({ task }) => hashesOf(await givenFiles(suite, task))));
  return { ...loaded, appHash: hashJson({ world: loaded.appHash, given }) };
}

/** By suite. @throws WorldError as {@link loadSuiteWorld} does */
export async function loadSuiteWorlds(suites: readonly LoadedSuite[]): Promise<Map<string, SuiteWorld>> {
  const worlds = new Map<string, SuiteWorld>();
  for (const suite of suites) worlds.set(suite.id, await loadSuiteWorld(suite));
  return worlds;
}

async function loadSites(
  world: LoadedWorld & { kind: 'local' },
  suite: SuiteFiles,
  impatient: boolean,
): Promise<LocalSites> {
  const { sites, realApps, stateAddresses } = await sitesOf(world, suite.file, impatient);
  const programs = world.sites.flatMap(({ program }) => (program === undefined ? [] : [program]));
  const started = programs.length === 0 ? {} : { programs };
  const pinned = world.sites.flatMap(({ data }) => (data === undefined ? [] : [data]));
  for (const data of pinned) await assertUnaltered(data);
  const described = sites.map(({ create: _create, madeOf: _madeOf, data: _data, ...site }) => site);
  const { hash, files } = await hashesOfTree(worldTree(suite, world));
  const brought = pinned.length === 0 ? {} : { data: pinned.map(({ sha256 }) => sha256) };
  const appHash = hashJson({ sites: described, files: hash, ...started, ...brought });
  return { kind: 'local', sites, realApps, stateAddresses, appHash, files };
}

async function sitesOf(
  world: LoadedWorld & { kind: 'local' },
  file: string,
  impatient: boolean,
): Promise<Pick<LocalSites, 'sites' | 'realApps' | 'stateAddresses'>> {
  const sites: Site[] = [];
  const realApps = new Set<string>();
  const stateAddresses = new Map<string, StateAddress>();
  for (const [at, site] of world.sites.entries()) {
    const { origin, path: place, standIn, mcp, data } = site;
    const create = await creatorOf(site, { file, at }, impatient);
    if (realAppOf(create) !== null) realApps.add(origin);
    if (site.program?.state !== undefined) stateAddresses.set(origin, { state: site.program.state, file, at });
    const tools = { ...(mcp === undefined ? {} : { mcp }), ...(data === undefined ? {} : { data: data.folder }) };
    const inThread = isProcess(site, create)
      ? {}
      : { madeOf: site.serves === 'app' ? { app: place } : { files: place } };
    sites.push({
      origin,
      create: namingFile(place, create),
      hasState: reportsState(site),
      standIn,
      ...tools,
      ...inThread,
    });
  }
  return { sites, realApps, stateAddresses };
}

/** @throws WorldError when a folder outside the suite's is not as it was when the suite was written */
async function assertUnaltered({ folder, sha256 }: NonNullable<LoadedSite['data']>): Promise<void> {
  const found = await hashTree({ places: [folder] });
  if (found !== sha256) throw new WorldError(fact('data_altered', { folder, expected: sha256, found }));
}

function isProcess({ serves }: LoadedSite, create: CreateApp): boolean {
  return serves === 'program' || realAppOf(create) !== null;
}

export interface StateAddress extends SiteInFile {
  state: string;
}

/** The place of a site in the list of its suite file. */
interface SiteInFile {
  file: string;
  at: number;
}

async function creatorOf(
  { origin, path: place, serves, program }: LoadedSite,
  { file, at }: SiteInFile,
  impatient: boolean,
): Promise<CreateApp> {
  if (program !== undefined) {
    const app = await namingProgram(file, at, async () =>
      outsideApp({ origin, folder: place, app: program, leftOut: isNoPartOfApp, impatient }),
    );
    return async (...given) => await namingProgram(file, at, async () => await app(...given));
  }
  return serves === 'app' ? await loadApp(place) : () => staticSite(place);
}

/** @throws WorldError */
export async function readArchive({
  file,
  ignoreQuery,
}: Pick<LoadedWorld & { kind: 'archive' }, 'file' | 'ignoreQuery'>): Promise<RecordedWeb> {
  const archive = await Archive.open(file);
  archive.close();
  const { hash } = archive;
  return {
    kind: 'archive',
    choice: { file, hash, ignoreQuery },
    recordedAs: kindOfArchive(archive),
    appHash: hashJson({ archive: hash, ignoreQuery }),
  };
}

export interface Setting {
  identity: TlsIdentity;
  /** Whether the live web answers instead of stand-ins and archives. */
  live: boolean;
  thread: WorldThread;
  /** Pages get it for the NAC3 manifest of their app. */
  manifest?: Uint8Array | undefined;
}

/** @throws WorldError */
export async function raiseWorld(world: SuiteWorld, task: Task, setting: Setting): Promise<World> {
  const clock = task.setup?.clock === undefined ? undefined : startClock(task.setup.clock);
  const raised = await raiseAt(clock, world, task, setting);
  return clock === undefined ? raised : { ...raised, offsetMs: clock.offsetMs };
}

async function raiseAt(
  clock: Clock | undefined,
  world: SuiteWorld,
  task: Task,
  { identity, live, thread, manifest }: Setting,
): Promise<World> {
  const whole = task.setup?.wholeExchanges ?? false;
  if (world.kind === 'archive' && !live) {
    return await thread.raiseArchive({ archive: world.choice, task: taskName(task), identity, whole });
  }
  const sites = world.kind === 'local' ? sitesFor(world, task.startUrl) : [];
  const { parameters = {} } = task.instance ?? {};
  return await thread.raise({ sites, parameters, identity, live, clock, manifest, whole });
}

/** The sites of an episode: of real applications, which are slow to start, only the one on which its task starts. */
export function sitesFor({ sites, realApps }: LocalSites, startUrl: string): Site[] {
  return sites.filter(({ origin }) => !realApps.has(origin) || isAt(startUrl, origin));
}

/** The origin of the real application on which a task starts; null if it starts elsewhere. */
export function realAppAt(world: SuiteWorld, startUrl: string): string | null {
  return world.kind === 'local' ? ([...world.realApps].find((origin) => isAt(startUrl, origin)) ?? null) : null;
}

function isAt(startUrl: string, origin: string): boolean {
  return startUrl !== 'about:blank' && new URL(startUrl).origin === origin;
}

export function worldKindOf(world: SuiteWorld, startUrl: string, live: boolean): WorldKind {
  if (world.kind === 'archive') return live ? 'live_web' : world.recordedAs;
  const standIns = world.sites.filter(({ standIn }) => standIn).map(({ origin }) => origin);
  // From a blank page an agent may go to any site.
  const isOnStandIn = startUrl === 'about:blank' ? standIns.length > 0 : standIns.includes(new URL(startUrl).origin);
  if (!isOnStandIn) {
    return realAppAt(world, startUrl) === null ? 'fixture_app' : 'real_app';
  }
  return live ? 'live_web' : 'facsimile';
}

/** An archive from chosen servers, or with pages that answer any query, is not a record of the web. */
function kindOfArchive({ provenance, exchanges }: Archive): WorldKind {
  const isRecorded = provenance.kind === 'recorded' && provenance.connect_to.length === 0;
  return isRecorded && !exchanges.some(({ anyQuery }) => anyQuery) ? 'recorded_web' : 'facsimile';
}

/** SHA-256 of the archive that answers requests; null if none does. */
export function archiveHashOf(world: SuiteWorld, live: boolean): string | null {
  return world.kind === 'archive' && !live ? world.choice.hash : null;
}

/** Names a place in a suite file: `suite.yaml:9 world.sites[0].program.command`. */
export async function placeInSuite(file: string, at: Path): Promise<string> {
  const read = await readSource(file);
  const line = read.ok ? read.value.placeOf(at).line : null;
  return `${path.relative('.', file)}${line === null ? '' : `:${line}`} ${formatPath(at)}`;
}

/** Adds to a WorldError the place in the suite file that names the program. */
export async function namingProgram<T>(file: string, site: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    const place = await placeInSuite(file, ['world', 'sites', site, 'program', 'command']);
    const { message, remedy } = error;
    throw new WorldError(fact('app_in_suite', { place, why: message.split('\n'), remedy }), error);
  }
}

import path from 'node:path';
import { fact } from '../../messages/messages.ts';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { requireBrowser } from '../../browser/find.ts';
import { launchBrowser } from '../../browser/launch.ts';
import { createRedactor, secretsFromEnvironment } from '../../bundle/redact.ts';
import { packageVersion } from '../../plan/package-root.ts';
import { recordSuite, type RecordListener } from '../../run/record/record-suite.ts';
import type { LoadedSuite } from '../../task/load-suite.ts';
import { Archive } from '../../world/archive/archive.ts';
import { archiveChanges, type ArchiveChanges, sizesByHost } from '../../world/archive/changes.ts';
import { packFacsimile } from '../../world/archive/facsimile.ts';
import type { Har, NotRecorded } from '../../world/archive/har.ts';
import { renew, type Renewed } from '../../world/archive/renew.ts';
import { BodyStore, writeArchive } from '../../world/archive/write-archive.ts';
import { createTlsIdentity } from '../../world/tls-identity.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { loadSuites, refuseInstalled } from '../suites.ts';
import type { Terminal } from '../terminal.ts';
import type { Request } from '../command.ts';
import type { RecordArguments } from '../commands/write.ts';
import { elapsedText } from '../../report/numbers.ts';

export async function record(
  { args: [name = ''], options, given }: Request<RecordArguments>,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.facsimile !== undefined) refuseBesideFacsimile(given);
  const [suite] = await loadSuites([name], terminal);
  if (suite === undefined) throw new UsageError(fact('no_suite_folder'));
  const file = options.out ?? archiveOf(suite);
  refuseInstalled([file]);
  await using bodies = await BodyStore.create();
  const ignoreQuery = new Set(suite.world.kind === 'archive' ? suite.world.ignoreQuery : []);
  const made = await make(suite, { bodies, ignoreQuery, options }, terminal);
  const before = existsSync(file) ? await openBefore(file, options.accept) : null;
  try {
    return await put(file, { ...made, before, bodies, ignoreQuery, accept: options.accept }, terminal);
  } finally {
    before?.close();
  }
}

/** Refuses options of the web with --facsimile, which reads only files. */
function refuseBesideFacsimile(given: readonly string[]): void {
  const extra = given.filter((name) => name === 'pages' || name === 'connectTo');
  if (extra.length === 0) return;
  const flags = extra.map((name) => (name === 'pages' ? '--pages' : '--connect-to')).join(' and ');
  throw new UsageError(fact('facsimile_without_web', { flags }));
}

function archiveOf({ file, world }: LoadedSuite): string {
  if (world.kind === 'archive') return world.file;
  throw new UsageError(fact('world_not_archive', { file: path.relative(process.cwd(), file) }));
}

interface Making {
  bodies: BodyStore;
  ignoreQuery: ReadonlySet<string>;
  options: RecordArguments;
}

interface Made {
  har: Har;
  /** Whether every route had its expected result. */
  allAsExpected: boolean;
}

async function make(suite: LoadedSuite, { bodies, ignoreQuery, options }: Making, terminal: Terminal): Promise<Made> {
  if (options.facsimile !== undefined) {
    return { har: await packFacsimile(options.facsimile, bodies, packageVersion()), allAsExpected: true };
  }
  const identity = await createTlsIdentity();
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: identity.spki });
  try {
    return await recordSuite({
      suite,
      browser,
      identity,
      bodies,
      redactor: createRedactor(secretsFromEnvironment(process.env)),
      connectTo: options.connectTo,
      maxPages: options.pages,
      ignoreQuery,
      listener: recordingLines(terminal),
    });
  } finally {
    await browser.close();
  }
}

/** Returns the existing archive; null if it is broken, and may be replaced. */
async function openBefore(file: string, accept: boolean): Promise<Archive | null> {
  try {
    return await Archive.open(file);
  } catch (error) {
    if (!accept) throw error;
    return null;
  }
}

interface Putting extends Made, Omit<Making, 'options'> {
  before: Archive | null;
  accept: boolean;
}

/** Moves the new archive to its place, unless that is taken and --accept was not given. */
async function put(file: string, making: Putting, terminal: Terminal): Promise<ExitCode> {
  const { har, bodies, ignoreQuery, before, accept, allAsExpected } = making;
  const renewed = before === null ? null : await renew(before, har, bodies, ignoreQuery);
  if (renewed !== null) listRenewed(renewed, terminal);
  const exit = allAsExpected ? EXIT.done : EXIT.gateNotMet;
  const {
    _touchstone: { not_recorded: notRecorded },
  } = har.log;
  if (before !== null && renewed?.har === null) {
    describeArchive(before, notRecorded, terminal);
    terminal.out(`${file}: ${before.hash}, unchanged: every request was answered as in the archive`);
    return exit;
  }
  const fresh = `${file.replace(/\.zip$/i, '')}.new.zip`;
  await writeArchive(fresh, renewed?.har ?? har, bodies);
  const now = await Archive.open(fresh);
  now.close();
  describeArchive(now, now.notRecorded, terminal);
  if (before !== null && before.hash !== now.hash) {
    listChanges(archiveChanges(before.exchanges, now.exchanges, ignoreQuery), terminal);
    if (!accept) {
      const left = `${file} is left as it was; the new archive is ${fresh}. Use --accept to replace it.`;
      terminal.note(left);
      return EXIT.gateNotMet;
    }
  }
  await rename(fresh, file).catch(async (error: unknown) => {
    await rm(fresh, { force: true });
    throw error;
  });
  terminal.out(`${file}: ${now.hash}`);
  return exit;
}

/** Lowest status of a response that reports a failure. */
const REFUSED = 400;

function recordingLines({ note }: Terminal): RecordListener {
  return {
    route: ({ page, expected }, status, detail) => {
      const more = detail === null ? '' : `, ${detail}`;
      note(`${page}: ${status}${status === expected ? '' : `, not ${expected}`}${more}`);
    },
    withoutRoute: (task) => note(`${task}: no solution`),
    page: (url) => note(`  ${url}`),
    unreadable: (url, why) => note(`cannot be judged: ${url} (${why})`),
    heavy: (url, lookMs, capMs) =>
      note(`one look takes ${elapsedText(lookMs)} of the ${elapsedText(capMs)} that its task has: ${url}`),
    closed: (url, why) => note(`  could not be opened: ${url} (${why})`),
  };
}

/** Prints the content of an archive by host, refused requests, and missing pages. */
function describeArchive(
  { exchanges: recorded }: Pick<Archive, 'exchanges'>,
  notRecorded: readonly NotRecorded[],
  terminal: Terminal,
): void {
  const hosts = sizesByHost(recorded);
  const width = Math.max(4, ...hosts.map(({ host }) => host.length));
  terminal.out(`${'host'.padEnd(width)}  exchanges       bytes`);
  for (const { host, exchanges, bytes } of hosts)
    terminal.out(`${host.padEnd(width)}  ${String(exchanges).padStart(9)}  ${String(bytes).padStart(10)}`);
  const refused = recorded.filter(({ status }) => status >= REFUSED);
  for (const line of new Set(refused.map(({ status, method, url }) => `answered with ${status}: ${method} ${url}`)))
    terminal.note(line);
  for (const { method, url, why } of notRecorded) terminal.note(`not recorded: ${method} ${url} (${why})`);
}

/** Prints which entries of the old archive a new recording keeps, and which it no longer has. */
function listRenewed({ notAsked, stands }: Renewed, terminal: Terminal): void {
  for (const name of notAsked) terminal.note(`not requested this time: ${name}`);
  for (const name of stands) terminal.note(`no answer this time, so kept as it was: ${name}`);
}

function listChanges(changes: ArchiveChanges, terminal: Terminal): void {
  for (const [what, names] of Object.entries({ ...changes })) {
    terminal.out(`${what}: ${names.length}`);
    for (const name of names) terminal.note(`  ${what} ${name}`);
  }
}

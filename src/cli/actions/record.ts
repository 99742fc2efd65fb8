import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { requireBrowser } from '../../browser/find.ts';
import { launchBrowser } from '../../browser/launch.ts';
import { createRedactor, secretsFromEnvironment } from '../../bundle/redact.ts';
import { packageVersion } from '../../plan/package-root.ts';
import { recordSuite } from '../../run/record/record-suite.ts';
import { printable } from '../../report/printable.ts';
import type { LoadedSuite } from '../../task/load-suite.ts';
import { Archive } from '../../world/archive/archive.ts';
import { archiveChanges, sizesByHost } from '../../world/archive/changes.ts';
import { packFacsimile } from '../../world/archive/facsimile.ts';
import { BodyStore, writeArchive } from '../../world/archive/write-archive.ts';
import { createTlsIdentity } from '../../world/tls-identity.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { loadSuites } from '../suites.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import type { Request } from '../command.ts';
import type { RecordOptions } from '../commands/record.ts';

export async function record(
  { args: [name = ''], options, given }: Request<RecordOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.facsimile !== undefined) refuseBesideFacsimile(given);
  const [suite] = await loadSuites([name], terminal);
  if (suite === undefined) throw new UsageError('no suite is named', 'name the folder of a suite');
  const file = options.out ?? archiveOf(suite);
  const fresh = `${file.replace(/\.zip$/i, '')}.new.zip`;
  const allPassed = await make(fresh, suite, options, terminal);
  return await put(fresh, file, { accept: options.accept, allPassed }, terminal);
}

/** Stand-ins come from files alone. */
function refuseBesideFacsimile(given: readonly string[]): void {
  const extra = given.filter((name) => name === 'pages' || name === 'connectTo');
  if (extra.length === 0) return;
  const flags = extra.map((name) => (name === 'pages' ? '--pages' : '--connect-to')).join(' and ');
  throw new UsageError(`--facsimile packs files and asks no web, so ${flags} has no meaning`, `leave out ${flags}`);
}

function archiveOf({ file, world }: LoadedSuite): string {
  if (world.kind === 'archive') return world.file;
  const remedy = 'write "world: { kind: archive, archive: web.zip }" in the suite file, or say --out <file>';
  throw new UsageError(`the world of ${path.relative(process.cwd(), file)} is no archive`, remedy);
}

/** Makes the archive; false when a solution did not pass. */
async function make(file: string, suite: LoadedSuite, options: RecordOptions, terminal: Terminal): Promise<boolean> {
  await using bodies = await BodyStore.create();
  if (options.facsimile !== undefined) {
    await writeArchive(file, await packFacsimile(options.facsimile, bodies, packageVersion()), bodies);
    return true;
  }
  const identity = await createTlsIdentity();
  const browser = await launchBrowser({ binary: requireBrowser('full'), trustedSpki: identity.spki });
  try {
    const { har, allPassed } = await recordSuite({
      suite,
      browser,
      identity,
      bodies,
      redactor: createRedactor(secretsFromEnvironment(process.env)),
      connectTo: options.connectTo,
      maxPages: options.pages,
      listener: {
        task: (id, status, detail) =>
          terminal.note(printable(`${id}: ${status}${detail === null ? '' : `, ${detail}`}`)),
        page: (url) => terminal.note(printable(`  ${url}`)),
      },
    });
    await writeArchive(file, har, bodies);
    return allPassed;
  } finally {
    await browser.close();
  }
}

/** Puts the new archive in its place, unless that is taken and nobody has agreed to lose what is there. */
async function put(
  fresh: string,
  file: string,
  { accept, allPassed }: { accept: boolean; allPassed: boolean },
  terminal: Terminal,
): Promise<ExitCode> {
  const now = await Archive.open(fresh);
  now.close();
  describe(now, terminal);
  const isTaken = existsSync(file) && !(await isSame(file, now, accept, terminal));
  if (isTaken && !accept) {
    terminal.note(printable(`${file} is left as it was; the new archive is ${fresh}. Say --accept to replace it.`));
    return EXIT.gateNotMet;
  }
  await rename(fresh, file).catch(async (error: unknown) => {
    await rm(fresh, { force: true });
    throw error;
  });
  terminal.out(printable(`${file}: ${now.hash}`));
  return allPassed ? EXIT.done : EXIT.gateNotMet;
}

function describe({ exchanges: recorded, notRecorded }: Archive, terminal: Terminal): void {
  const hosts = sizesByHost(recorded);
  const width = Math.max(4, ...hosts.map(({ host }) => host.length));
  terminal.out(`${'host'.padEnd(width)}  exchanges       bytes`);
  for (const { host, exchanges, bytes } of hosts)
    terminal.out(printable(`${host.padEnd(width)}  ${String(exchanges).padStart(9)}  ${String(bytes).padStart(10)}`));
  for (const { method, url, why } of notRecorded) terminal.note(printable(`not recorded: ${method} ${url} (${why})`));
}

/** Whether the archive that is there has the same bytes; if not, what the new one changes is printed. */
async function isSame(file: string, now: Archive, accept: boolean, terminal: Terminal): Promise<boolean> {
  let before: Archive;
  try {
    before = await Archive.open(file);
  } catch (error) {
    // One that is broken may be replaced like any other.
    if (!accept) throw error;
    return false;
  }
  before.close();
  if (before.hash === now.hash) return true;
  for (const [what, names] of Object.entries({ ...archiveChanges(before.exchanges, now.exchanges) })) {
    terminal.out(`${what}: ${names.length}`);
    for (const name of names) terminal.note(printable(`  ${what} ${name}`));
  }
  return false;
}

import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { loadCommand } from '../../agent/exec/command.ts';
import { type BrowserKind, findBrowser, requireBrowser } from '../../browser/find.ts';
import { installBrowser } from '../../browser/install.ts';
import { launchBrowser } from '../../browser/launch.ts';
import { messageOf } from '../../contract/message-of.ts';
import { didYouMean } from '../../contract/nearest-name.ts';
import { fact } from '../../messages/messages.ts';
import { isFileName } from '../../plan/entrants.ts';
import { packageVersion } from '../../plan/package-root.ts';
import { onPath, programsOnPath } from '../../process/environment.ts';
import { canImport } from '../../process/packages.ts';
import type { LoadedSuite } from '../../task/load-suite.ts';
import { readSource } from '../../task/source/read-source.ts';
import type { LoadedSite } from '../../task/suite-paths.ts';
import { Archive } from '../../world/archive/archive.ts';
import { WorldError } from '../../world/error.ts';
import { loadApp } from '../../world/load-app.ts';
import { isListening } from '../../world/outside-app/outside-app.ts';
import { installationOf, isInstalled, type PinnedApp } from '../../world/real-app/cache.ts';
import { realAppOf } from '../../world/real-app/define-real-app.ts';
import type { Request } from '../command.ts';
import type { DoctorOptions } from '../commands/program.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { OWN_CAMPAIGN } from '../init/places.ts';
import { browserIsolationHere, isolationOfThisFolder } from '../isolation-preview.ts';
import { whileWaiting } from '../live/progress-display.ts';
import { loadSuites } from '../suites.ts';
import type { Terminal } from '../terminal.ts';

interface Finding {
  what: string;
  ok: boolean;
  /** Whether everything works without it, too. */
  optional: boolean;
  found: string;
}

export async function doctor(
  { args: names, options: { install, browser, quiet, json } }: Request<DoctorOptions>,
  terminal: Terminal,
): Promise<ExitCode> {
  // If TOUCHSTONE_BROWSER is set, there is nothing to install; the table shows what is wrong with it.
  const isNamed = (process.env['TOUCHSTONE_BROWSER'] ?? '') !== '';
  if (install && !isNamed && findBrowser(browser) === null) {
    const note = (line: string): void => {
      terminal.note(line);
    };
    await whileWaiting('installing the browser', terminal, () => installBrowser(browser, note));
  }
  const ofBrowser = await whileWaiting('starting the browser', terminal, () => browserFinding(browser));
  const machine = [nodeFinding(), ofBrowser, shellFinding(), temporaryFolderFinding(), await keptApartFinding()];
  const ofSuites = (await loadSuites(names, terminal)).map(suiteFindings);
  const findings = [...machine, ...(await Promise.all(ofSuites)).flat()];
  const isWell = findings.every(({ ok, optional }) => ok || optional);
  if (json) terminal.out(JSON.stringify({ ok: isWell, version: packageVersion(), findings }));
  else print(findings, quiet, terminal);
  return isWell ? EXIT.done : EXIT.infrastructure;
}

function print(findings: readonly Finding[], quiet: boolean, terminal: Terminal): void {
  const width = Math.max(...findings.map(({ what }) => what.length));
  for (const { what, ok, optional, found } of findings) {
    if (quiet && (ok || optional)) continue;
    terminal.out(`${ok ? 'ok     ' : optional ? 'absent ' : 'MISSING'}  ${what.padEnd(width)} ${found}`);
  }
}

function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return { what: 'Node', ok, optional: false, found: `${process.version}${ok ? '' : '; install 20.19 or later'}` };
}

async function browserFinding(kind: BrowserKind): Promise<Finding> {
  return await finding('Chromium', async () => {
    const binary = requireBrowser(kind);
    const browser = await launchBrowser({ binary });
    const { uid } = browser;
    const { name, version, sandbox } = browser.identity;
    await browser.close();
    return `${name} ${version} (${binary.path}, ${binary.source})${runningAs(uid, sandbox)}${confinement(kind)}`;
  });
}

/** @param find returns the part found; its error explains what is missing, and the remedy */
async function finding(what: string, find: () => string | Promise<string>): Promise<Finding> {
  try {
    return { what, ok: true, optional: false, found: await find() };
  } catch (error) {
    const remedy = error instanceof Error && 'remedy' in error ? `; ${String(error.remedy)}` : '';
    return { what, ok: false, optional: false, found: `${messageOf(error)}${remedy}` };
  }
}

async function suiteFindings({ id, file, world }: LoadedSuite): Promise<Finding[]> {
  const ofWorld = world.kind === 'archive' ? [archiveFinding(world.file)] : world.sites.map(siteFindings);
  const all = [...ofWorld, agentFindings(path.join(path.dirname(file), OWN_CAMPAIGN))];
  return (await Promise.all(all)).flat().map((each) => ({ ...each, what: `${id}: ${each.what}` }));
}

async function archiveFinding(file: string): Promise<Finding> {
  return await finding('archive', async () => {
    (await Archive.open(file)).close();
    return path.relative('.', file);
  });
}

async function siteFindings({ origin, serves, path: place, program }: LoadedSite): Promise<Finding[]> {
  if (serves === 'app') {
    const pin = realAppOf(await loadApp(place));
    return pin === null ? [] : [await finding(pin.name, () => installedApp(pin))];
  }
  if (program === undefined) return [];
  const { command, reset, port } = program;
  const programs = [command, ...(Array.isArray(reset) ? [reset] : [])].map(([name = '']) => name);
  return await Promise.all([
    ...[...new Set(programs)].map((name) => finding(name, () => programIn(name, { place, origin }))),
    ...(port === undefined ? [] : [finding(`port ${port}`, () => freeToTake(port))]),
  ]);
}

function installedApp(pin: PinnedApp): string {
  const { name, package: what, version } = pin;
  if (isInstalled(pin)) return `${what} ${version} (${installationOf(pin)})`;
  throw new WorldError(fact('app_not_installed', { name, package: what, version }));
}

function programIn(name: string, { place, origin }: { place: string; origin: string }): string {
  const found = name.includes('/') ? path.resolve(place, name) : onPath(name);
  if (found !== null && existsSync(found)) return found;
  throw new WorldError(
    fact('app_program_missing', { origin, program: name, meant: didYouMean(name, programsOnPath()) }),
  );
}

async function freeToTake(port: number): Promise<string> {
  if (await isListening(port)) throw new UsageError(fact('port_taken', { port }));
  return 'free';
}

const Manifest = z.looseObject({ dependencies: z.record(z.string(), z.string()).optional() });
const Agents = z.object({ agents: z.array(z.string()) });

/** Looks for the programs of agents, and for the packages that a package.json next to them names. */
async function agentFindings(campaign: string): Promise<Finding[]> {
  const read = existsSync(campaign) ? await readSource(campaign) : null;
  const { data } = Agents.safeParse(read?.ok === true ? read.value.value : null);
  const files = (data?.agents ?? []).filter(isFileName).map((name) => path.resolve(path.dirname(campaign), name));
  return await Promise.all(
    files.map((file) =>
      finding(path.relative('.', file), () => {
        const { program } = loadCommand(file).command;
        const folder = path.dirname(file);
        const manifest = path.join(folder, 'package.json');
        const named = existsSync(manifest) ? Manifest.parse(JSON.parse(readFileSync(manifest, 'utf8'))) : {};
        const missing = Object.keys(named.dependencies ?? {}).filter((name) => !canImport(name, file));
        if (missing.length === 0) return program;
        throw new UsageError(fact('agent_packages_missing', { missing, folder: path.relative('.', folder) }));
      }),
    ),
  );
}

/** States as which user Chromium runs, and whether in its sandbox. */
function runningAs(uid: number | null, sandbox: boolean | null): string {
  const asRoot = uid === null && process.getuid?.() === 0;
  const user = asRoot
    ? '; runs as root, since no other user can reach its binary or the temporary folder'
    : uid === null
      ? ''
      : '; runs as a user of its own';
  return `${user}${sandbox === true ? ', in its sandbox' : '; runs without its sandbox, as for root and in many containers'}`;
}

/** States whether Bubblewrap keeps the files and ports of this machine from Chromium. */
function confinement(kind: BrowserKind): string {
  const { noSandbox } = browserIsolationHere(kind);
  if (noSandbox === null) return '; in Bubblewrap, with no files and no network but its own';
  return `; not in Bubblewrap (diagnostic): ${noSandbox.why}; what helps: ${noSandbox.remedy}`;
}

function shellFinding(): Finding {
  const shell = findBrowser('shell', { env: { ...process.env, TOUCHSTONE_BROWSER: '' } });
  const found = shell === null ? 'not found; only "--browser shell" needs it' : `${shell.path} (${shell.source})`;
  return { what: 'headless shell', ok: shell !== null, optional: true, found };
}

function temporaryFolderFinding(): Finding {
  try {
    accessSync(tmpdir(), constants.W_OK);
    return { what: 'temporary folder', ok: true, optional: false, found: tmpdir() };
  } catch {
    return { what: 'temporary folder', ok: false, optional: false, found: `${tmpdir()} cannot be written; set TMPDIR` };
  }
}

/** States what keeps foreign programs from our files, and why it is not a sandbox. */
async function keptApartFinding(): Promise<Finding> {
  const { noSandbox, text } = await isolationOfThisFolder();
  const remedy = noSandbox === null ? '' : `; what helps: ${noSandbox.remedy}`;
  return { what: 'isolation', ok: noSandbox === null, optional: true, found: `${text}${remedy}` };
}

import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { type BrowserKind, findBrowser, requireBrowser } from '../../browser/find.ts';
import { installBrowser } from '../../browser/install.ts';
import { launchBrowser } from '../../browser/launch.ts';
import { packageVersion } from '../../plan/package-root.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { browserIsolationHere, isolationOfThisFolder } from '../isolation-preview.ts';
import { whileWaiting } from '../live/progress-display.ts';
import type { Terminal } from '../terminal.ts';
import type { Request } from '../command.ts';
import type { DoctorOptions } from '../commands/program.ts';
import { messageOf } from '../../contract/message-of.ts';

interface Finding {
  what: string;
  ok: boolean;
  /** Whether everything works without it, too. */
  optional: boolean;
  found: string;
}

export async function doctor(
  { options: { install, browser, quiet, json } }: Request<DoctorOptions>,
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
  const findings = [nodeFinding(), ofBrowser, shellFinding(), temporaryFolderFinding(), await keptApartFinding()];
  const isWell = findings.every(({ ok, optional }) => ok || optional);
  if (json) terminal.out(JSON.stringify({ ok: isWell, version: packageVersion(), findings }));
  else print(findings, quiet, terminal);
  return isWell ? EXIT.done : EXIT.infrastructure;
}

function print(findings: readonly Finding[], quiet: boolean, terminal: Terminal): void {
  for (const { what, ok, optional, found } of findings) {
    if (quiet && (ok || optional)) continue;
    terminal.out(`${ok ? 'ok     ' : optional ? 'absent ' : 'MISSING'}  ${what.padEnd(16)} ${found}`);
  }
}

function nodeFinding(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return { what: 'Node', ok, optional: false, found: `${process.version}${ok ? '' : '; install 20.19 or later'}` };
}

async function browserFinding(kind: BrowserKind): Promise<Finding> {
  const what = 'Chromium';
  try {
    const binary = requireBrowser(kind);
    const browser = await launchBrowser({ binary });
    const { uid } = browser;
    const { name, version, sandbox } = browser.identity;
    await browser.close();
    const found = `${name} ${version} (${binary.path}, ${binary.source})${runningAs(uid, sandbox)}${confinement(kind)}`;
    return { what, ok: true, optional: false, found };
  } catch (error) {
    const remedy = error instanceof Error && 'remedy' in error ? `; ${String(error.remedy)}` : '';
    return {
      what,
      ok: false,
      optional: false,
      found: `${messageOf(error)}${remedy}`,
    };
  }
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

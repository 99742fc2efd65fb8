import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JudgedBrowser } from '../../src/browser/judged-browser.ts';

/** The profiles that a process has made and that are still there. */
export function profilesOf(pid: number): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`touchstone-profile-${pid}-`));
}

/** The processes whose home is a profile that this process has made: Chromium and all its helpers. Linux only. */
export function chromiumProcessesOf(pid: number): number[] {
  const home = `HOME=${path.join(tmpdir(), `touchstone-profile-${pid}-`)}`;
  return readdirSync('/proc')
    .map(Number)
    .filter((each) => environmentOf(each).some((variable) => variable.startsWith(home)));
}

/** The id of a browser's own process. */
export async function processOf({ observer }: Pick<JudgedBrowser, 'observer'>): Promise<number> {
  const { processInfo } = await observer.cdp.send('SystemInfo.getProcessInfo');
  const pid = processInfo.find(({ type }) => type === 'browser')?.id;
  if (pid === undefined) throw new Error('the browser does not tell its process id');
  return pid;
}

/** Kills a browser's own process, as a user or the system might. */
export async function killFromOutside(browser: JudgedBrowser): Promise<void> {
  process.kill(await processOf(browser), 'SIGKILL');
  await browser.ended;
}

function environmentOf(pid: number): string[] {
  if (Number.isNaN(pid)) return [];
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // It has just ended, or belongs to someone else.
    return [];
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JudgedBrowser } from '../../src/browser/judged-browser.ts';

export function profilesOf(pid: number): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`touchstone-profile-${pid}-`));
}

/** The processes whose home is a profile that this process has made: Chromium and all its helpers. Linux only. */
export function chromiumProcessesOf(pid: number): number[] {
  const home = `HOME=${path.join(tmpdir(), `touchstone-profile-${pid}-`)}`;
  return readdirSync('/proc')
    .map(Number)
    .filter((each) => wordsIn(each, 'environ').some((variable) => variable.startsWith(home)));
}

/** The id that a browser's own process has on this machine; in a sandbox it has another. Linux only. */
export async function processOf({ observer }: Pick<JudgedBrowser, 'observer'>): Promise<number> {
  const { commandLine } = await observer.cdp.send('SystemInfo.getInfo');
  const profile = /--user-data-dir=\S+/.exec(commandLine)?.[0];
  if (profile === undefined) throw new Error('the browser does not name its profile');
  const pid = readdirSync('/proc')
    .map(Number)
    .find((each) => {
      const [program = '', ...args] = wordsIn(each, 'cmdline');
      return (
        path.basename(program) !== 'bwrap' && args.includes(profile) && !args.some((arg) => arg.startsWith('--type='))
      );
    });
  if (pid === undefined) throw new Error('no process has the profile of the browser');
  return pid;
}

export async function killFromOutside(browser: JudgedBrowser): Promise<void> {
  process.kill(await processOf(browser), 'SIGKILL');
  await browser.ended;
}

function wordsIn(pid: number, file: 'environ' | 'cmdline'): string[] {
  if (Number.isNaN(pid)) return [];
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
  } catch {
    // It has just ended, or belongs to someone else.
    return [];
  }
}

import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepBrowsers } from '../../browser/kept-browsers.ts';
import { counted } from '../../report/numbers.ts';
import { taskName } from '../../task/instance.ts';
import { refuse, REQUEST_CHECKS } from '../checks.ts';
import type { Request } from '../command.ts';
import type { RunOptions } from '../commands/run.ts';
import { EXIT, type ExitCode, knownFailure } from '../exit-code.ts';
import { stopOnInterruption } from '../interruption.ts';
import type { PlannedRun } from '../planned-run.ts';
import { isFileName } from '../../plan/entrants.ts';
import { withOwnCampaign } from '../planning.ts';
import { noteFailure, type Terminal } from '../terminal.ts';
import { changedFiles, concerns, filesAt, MAX_FILES, type Places, watchedPlaces } from '../watched-files.ts';
import { run } from './run.ts';

/** Time between two looks at the files, in ms; a file that is being written is complete after as long. */
const LOOKED_EVERY = 250;

/** Runs, and runs the tasks concerned again as files change, until Ctrl-C. */
export async function watch(request: Request<RunOptions>, terminal: Terminal): Promise<ExitCode> {
  await refuse(REQUEST_CHECKS, request);
  using stop = stopOnInterruption(() => {});
  const { signal } = stop;
  const endBrowsers = keepBrowsers();
  const watched = new Watched(request, terminal);
  try {
    while (!signal.aborted) {
      try {
        await run(request, terminal, (planned) => (signal.aborted ? null : watched.concernedIn(planned)));
        watched.hasRun();
      } catch (error) {
        if (knownFailure(error) === null) throw error;
        noteFailure(error, terminal);
      }
      if (!signal.aborted) await watched.change(signal);
    }
  } finally {
    await endBrowsers();
  }
  return EXIT.done;
}

/** The files of a run, and which of them have changed since. */
class Watched {
  readonly #campaign: string | undefined;
  readonly #terminal: Terminal;
  #places: Places;
  #files: ReadonlyMap<string, string>;
  /** Files changed since their tasks last ran; null before the first run, which runs every task. */
  #changed: string[] | null = null;

  constructor(request: Request<RunOptions>, terminal: Terminal) {
    const { args, options } = withOwnCampaign(request);
    const { campaign, agent, surface, tasks = '' } = options;
    const folders = [...args, tasks].filter((name) => isFileName(name));
    this.#campaign = campaign;
    this.#terminal = terminal;
    // Enough to begin with if nothing can be loaded yet.
    this.#places = { folders, files: [campaign ?? '', ...agent, ...surface].filter(isFileName) };
    this.#files = filesAt(this.#places);
  }

  /** Notes what a run is made from, and leaves out the tasks that no change concerns. */
  readonly concernedIn = (planned: PlannedRun): PlannedRun | null => {
    const { plan, suites } = planned;
    this.#places = watchedPlaces(planned, this.#campaign);
    const now = filesAt(this.#places);
    // Changes while the run was planned are found later.
    this.#files = new Map([...now, ...this.#files].filter(([file]) => now.has(file)));
    if (this.#changed === null) return planned;
    const tasks = plan.tasks.filter(concerns(this.#changed, suites));
    const names = [...new Set(tasks.map(({ task }) => taskName(task)))];
    this.#terminal.note(tasks.length === 0 ? 'no task of this run is concerned' : `running ${names.join(', ')} again`);
    return tasks.length === 0 ? null : { ...planned, plan: { ...plan, tasks } };
  };

  hasRun(): void {
    this.#changed = [];
  }

  /** Resolves when files have changed and rest, or when the signal fires. */
  async change(signal: AbortSignal): Promise<void> {
    const most = this.#files.size < MAX_FILES ? '' : ', and no more than that';
    this.#terminal.note(
      `watching ${counted(this.#files.size, 'file')} of ${namesOf(this.#places)}${most}; Ctrl-C ends`,
    );
    for (let hasChanged = false; !signal.aborted;) {
      const now = filesAt(this.#places);
      const changed = changedFiles(this.#files, now);
      if (changed.length === 0 && hasChanged) return;
      if (changed.length > 0) {
        hasChanged = true;
        this.#files = now;
        this.#changed?.push(...changed);
        this.#terminal.note(`changed: ${changed.map(shown).join(', ')}`);
      }
      await sleep(LOOKED_EVERY, undefined, { signal }).catch(() => {});
    }
  }
}

const MAX_NAMED = 4;

function namesOf({ folders, files }: Places): string {
  const outer = folders.filter((folder) => !folders.some((other) => folder.startsWith(other + path.sep)));
  const names = [...new Set([...outer, ...files].map(shown))];
  const more = names.length <= MAX_NAMED ? '' : ` and ${names.length - MAX_NAMED} more`;
  return names.slice(0, MAX_NAMED).join(', ') + more;
}

function shown(place: string): string {
  const seen = path.relative('.', path.resolve(place));
  return seen === '' ? '.' : seen.startsWith('..') ? place : seen;
}

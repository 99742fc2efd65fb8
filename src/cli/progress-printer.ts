import { colours } from './colours.ts';
import type { Row } from '../bundle/row.ts';
import type { Plan, PlannedEpisode } from '../plan/plan.ts';
import type { AskedFirst } from '../run/provider-watch.ts';
import type { CampaignListener } from '../run/campaign.ts';
import type { EpisodeEvent } from '../episode/events.ts';
import { FailedSteps } from '../episode/failed-steps.ts';
import { failureReport } from '../report/failure.ts';
import { plainText } from '../report/document.ts';
import { eventText } from '../viewer/event-words.ts';
import { nameOfInstance, nameWithFaults, taskName } from '../task/instance.ts';
import { iterationName, paintStatus, type Terminal } from './terminal.ts';
import { counted, secondsText, usdText } from '../report/numbers.ts';
import { MAX_COLUMNS, wrapped } from './layout.ts';
import { failedAsExpected, milestonesText, statusText } from '../report/roles.ts';

export type ShownPlan = Pick<Plan, 'tasks' | 'entrants' | 'iterations'>;

/** Prints a line for each episode, and with `verbose` one for each event. */
export class ProgressPrinter implements CampaignListener {
  readonly #terminal: Terminal;
  readonly #verbose: boolean;
  readonly #iterations: number;
  /** Widths of the longest names. */
  readonly #widths: { task: number; entrant: number };
  /** The most cost and time, in words. */
  readonly #bounds: string | null;
  /** Failed steps, by episodes that follow a solution. */
  readonly #failed = new Map<string, FailedSteps>();
  /** The iteration for which each reason was printed. */
  readonly #reasons = new Map<string, number>();
  #workers = 1;
  #total = 0;
  #done = 0;

  constructor(
    terminal: Terminal,
    { verbose, plan, bounds = null }: { verbose: boolean; plan: ShownPlan; bounds?: string | null },
  ) {
    this.#bounds = bounds;
    this.#terminal = terminal;
    this.#verbose = verbose;
    this.#iterations = plan.iterations;
    const tasks = plan.tasks.map(({ task, fault }) => this.#named(taskName(task), fault?.id, plan.iterations - 1));
    const entrants = plan.entrants.map(({ agent, surface }) => `${agent}/${surface}`);
    this.#widths = { task: longest(tasks), entrant: longest(entrants) };
  }

  planned(total: number, done: number, workers = 1, why: string | null = null): void {
    [this.#total, this.#done, this.#workers] = [total, done, workers];
    const what = `${counted(total, 'episode')} planned`;
    // Caps of finished episodes do not bound the rest.
    if (done > 0) this.#terminal.note(`${what}, ${done} of them already done`);
    else
      for (const line of wrapped(this.#bounds === null ? what : `${what}; ${this.#bounds}`, MAX_COLUMNS))
        this.#terminal.note(line);
    if (why === null || total - done < 2) return;
    for (const line of wrapped(`${workers === 1 ? 'one at a time' : `up to ${workers} at once`}: ${why}`, MAX_COLUMNS))
      this.#terminal.note(line);
  }

  askedFirst({ agent, modelId, calledTool, usd }: AskedFirst): void {
    const facts = [
      `${agent} answers${modelId === null ? '' : ` as ${modelId}`}`,
      ...(calledTool === null ? [] : [calledTool ? 'calls tools' : 'did not call the requested tool']),
      usd === null ? 'its price is not known' : usdText(usd),
    ];
    this.#terminal.note(`asked first: ${facts.join(', ')}`);
  }

  started(episode: PlannedEpisode): void {
    if (!this.#verbose) return;
    this.#terminal.note(colours.bold(`${this.#taskOf(episode)}  ${episode.agent} through ${episode.surface}`));
  }

  event(episode: PlannedEpisode, event: EpisodeEvent): void {
    // Lines of several episodes at once alternate.
    const prefix = this.#workers > 1 ? `${this.#taskOf(episode)}: ` : '';
    if (this.#verbose) this.#terminal.note(`  ${prefix}${eventText(event)}`);
    else if (episode.agent === 'reference') this.#printFailedStep(episode, event);
  }

  /** Prints the failed steps of a solution with their task, since the line above is another episode's. */
  #printFailedStep(episode: PlannedEpisode, event: EpisodeEvent): void {
    const failed = this.#failed.get(episode.episodeId) ?? new FailedSteps();
    this.#failed.set(episode.episodeId, failed);
    const what = failed.take(event);
    if (what !== null) this.#terminal.note(`       ${colours.yellow(`${this.#taskOf(episode)}: ${what}`)}`);
  }

  #taskOf({ planned, iteration }: PlannedEpisode): string {
    return this.#named(taskName(planned.task), planned.fault?.id, iteration);
  }

  interrupted({ planned, agent, surface }: PlannedEpisode, why: string): void {
    this.#terminal.note(
      `       ${colours.yellow(`${taskName(planned.task)} by ${agent} through ${surface} will be attempted again: ${why}`)}`,
    );
  }

  worldNotClosed(_episode: PlannedEpisode, why: string): void {
    this.#terminal.note(`       ${colours.dim(why)}`);
  }

  /** Names a task with its fault, and with its iteration if there are several. */
  #named(task: string, fault: string | undefined, iteration: number): string {
    const name = nameWithFaults(task, fault === undefined ? [] : [fault]);
    return this.#iterations > 1 ? `${name} ${iterationName(iteration)}` : name;
  }

  finished(row: Row): void {
    this.#done += 1;
    const place = `${String(this.#done).padStart(String(this.#total).length)}/${this.#total}`;
    const time = secondsText(row.wall_ms) ?? '';
    const steps = row.steps === null || failedAsExpected(row) ? '' : counted(row.steps, 'step');
    const [task, entrant] = [
      this.#named(nameOfInstance(row.task, row.instance), row.faults[0]?.id, row.iteration),
      `${row.agent}/${row.surface}`,
    ];
    const { task: taskWidth, entrant: entrantWidth } = this.#widths;
    const parts = [
      task.padEnd(taskWidth),
      entrant.padEnd(entrantWidth),
      paintOutcome(row),
      steps,
      time,
      milestonesText(row) ?? '',
    ];
    this.#terminal.note(`${colours.dim(place)}  ${parts.filter((part) => part !== '').join('  ')}`);
    if (row.status === 'passed' || failedAsExpected(row)) return;
    const why = this.#whyOnce(row);
    if (why !== '') this.#terminal.note(`       ${colours.dim(why)}`);
  }

  /** Returns a reason in full only for its first repetition. */
  #whyOnce(row: Row): string {
    const why = whyNotDone(row);
    if (why === '') return why;
    const { suite, task, instance, agent, surface, faults } = row;
    const key = JSON.stringify([suite, task, instance, agent, surface, faults[0]?.id ?? null, why]);
    const first = this.#reasons.get(key);
    if (first !== undefined) return `for the same reason as ${iterationName(first)}`;
    this.#reasons.set(key, row.iteration);
    return why;
  }
}

function longest(names: readonly string[]): number {
  return names.reduce((most, { length }) => Math.max(most, length), 0);
}

/** Dims the failure of a control, which is expected. */
function paintOutcome(row: Row): string {
  if (failedAsExpected(row)) return colours.dim(statusText(row));
  return row.decider === 'control' && row.status === 'passed' ? colours.red(row.status) : paintStatus(row.status);
}

/** Returns why an episode did not pass, as reports do. */
export function whyNotDone(row: Row): string {
  return row.stop === null ? (row.null_reasons['steps'] ?? '') : plainText(failureReport(row));
}

import { colours } from './colours.ts';
import type { Row } from '../bundle/row.ts';
import type { PlannedEpisode } from '../campaign/plan.ts';
import type { CampaignListener } from '../campaign/listener.ts';
import type { EpisodeEvent } from '../episode/events.ts';
import { faultText } from '../viewer/fault-text.ts';
import { turnText } from '../viewer/turn-text.ts';
import { type Found, foundText } from '../report/found.ts';
import { printable } from '../report/printable.ts';
import { nameOf, taskName } from '../task/instance.ts';
import { iterationName, paintStatus, type Terminal } from './terminal.ts';

/** Says how a campaign goes: one line an episode, and with `verbose` one an event. */
export class ProgressPrinter implements CampaignListener {
  readonly #terminal: Terminal;
  readonly #verbose: boolean;
  readonly #iterations: number;
  #total = 0;
  #done = 0;

  constructor(terminal: Terminal, { verbose, iterations }: { verbose: boolean; iterations: number }) {
    this.#terminal = terminal;
    this.#verbose = verbose;
    this.#iterations = iterations;
  }

  planned(total: number, done: number): void {
    this.#total = total;
    this.#done = done;
    this.#terminal.note(
      `${total} episode${total === 1 ? '' : 's'} planned${done === 0 ? '' : `, ${done} of them done already`}`,
    );
  }

  started({ planned, agent, surface, iteration }: PlannedEpisode): void {
    if (!this.#verbose) return;
    const task = this.#named(taskName(planned.task), iteration);
    this.#terminal.note(colours.bold(printable(`${task}  ${agent} through ${surface}`)));
  }

  event(_episode: PlannedEpisode, event: EpisodeEvent): void {
    if (this.#verbose) this.#terminal.note(`  ${printable(describe(event))}`);
  }

  worldNotClosed(_episode: PlannedEpisode, why: string): void {
    this.#terminal.note(`       ${colours.dim(printable(why))}`);
  }

  /** With its iteration where there are several. */
  #named(task: string, iteration: number): string {
    return this.#iterations > 1 ? `${task} ${iterationName(iteration)}` : task;
  }

  finished(row: Row): void {
    this.#done += 1;
    const place = `${String(this.#done).padStart(String(this.#total).length)}/${this.#total}`;
    const time = row.wall_ms === null ? '' : `${(row.wall_ms / 1000).toFixed(2)} s`;
    const steps = row.steps === null ? '' : `${row.steps} step${row.steps === 1 ? '' : 's'}`;
    const [task, entrant] = [
      printable(this.#named(nameOf(row.task, row.instance), row.iteration)),
      printable(`${row.agent}/${row.surface}`),
    ];
    const parts = [task.padEnd(24), entrant.padEnd(24), paintOutcome(row), steps, time];
    this.#terminal.note(`${colours.dim(place)}  ${parts.join('  ').trimEnd()}`);
    if (row.status === 'passed' || isAsItShould(row)) return;
    const why = whyNot(row);
    if (why !== '') this.#terminal.note(`       ${colours.dim(printable(why))}`);
  }
}

/** A control that fails is no news: that is what it is for. */
function isAsItShould({ decider, status }: Row): boolean {
  return decider === 'control' && status === 'failed';
}

function paintOutcome(row: Row): string {
  if (isAsItShould(row)) return colours.dim(row.status);
  return row.decider === 'control' && row.status === 'passed' ? colours.red(row.status) : paintStatus(row.status);
}

/** What the report says of it too, in one line, which is not yet {@link printable}. */
function whyNot({ detail, failed_contract: failed, last_tool_call: call, null_reasons: reasons, stop }: Row): string {
  if (stop === null) return reasons['steps'] ?? '';
  const parts = detail === null ? [] : [detail];
  if (failed !== null)
    parts.push(
      `${failed.path} (${failed.kind}) expected ${found(failed.expected)}, observed ${found(failed.observed)}`,
    );
  if (call !== null) parts.push(`last tool call: ${call.tool} ${JSON.stringify(call.args)}`);
  return parts.join('; ');
}

/** In the quotes that `show` uses: what is in them may hold others. */
function found(value: Found): string {
  const text = foundText(value);
  return text === null ? 'nothing' : `“${text}”`;
}

/** In one line, which is not yet {@link printable}: pages and agents may have written parts of it. */
function describe(event: EpisodeEvent): string {
  switch (event.type) {
    case 'reset':
      return `reset       ${event.start_url}`;
    case 'tools':
      return `tools       ${event.names.join(', ')}`;
    case 'call':
      return `call ${String(event.step).padEnd(6)} ${event.tool} ${JSON.stringify(event.args)}`;
    case 'result':
      return `result ${String(event.step).padEnd(4)} ${event.ok ? 'ok' : 'error'}, ${event.kind}, ${event.bytes} bytes, ${Math.round(event.tool_ms)} ms, at ${event.url}`;
    case 'turn':
      return `turn ${String(event.turn).padEnd(6)} the model is asked`;
    case 'turn_retried':
      return `turn ${String(event.turn).padEnd(6)} ${event.why}; asked again after ${Math.round(event.wait_ms)} ms`;
    case 'turn_ended':
      return `turn ${String(event.turn).padEnd(6)} ${turnText(event)}`;
    case 'gateway':
      return `gateway     ${event.commands} commands, ${event.inputs} of them input`;
    case 'isolated':
      return `isolation   ${event.by}, network ${event.network}`;
    case 'reported_step':
      return `says ${String(event.step).padEnd(6)} ${event.tool} ${JSON.stringify(event.args)} ${event.ok ? 'ok' : 'error'}, at ${event.url}`;
    case 'reported_usage':
      return `says        it used ${event.input_tokens} + ${event.output_tokens} tokens of ${event.model ?? 'a model'}`;
    case 'printed':
      return `printed     ${event.bytes} bytes, ending in: ${event.text}`;
    case 'fault.armed':
    case 'fault.fired':
    case 'fault.obeyed':
    case 'fault.cleared':
      return `fault       ${event.type.slice('fault.'.length)}, ${faultText(event)}`;
    case 'trace':
      return `trace       ${event.blob ?? `none: ${event.why}`}`;
    case 'contract_evaluation':
      return `evaluation  ${event.contract} at the ${event.moment}: ${event.judgement.verdict} (${event.judgement.why})`;
    case 'stop':
      return `stop        ${event.stop}${event.detail === null ? '' : `: ${event.detail}`}`;
  }
}

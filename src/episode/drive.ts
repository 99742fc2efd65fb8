import type { AgentReport, SelfDrivingAgent, OwnUsage } from '../agent/agent.ts';
import type { BrowserHealth } from '../browser/judged-browser.ts';
import { messageOf } from '../contract/message-of.ts';
import type { Brief } from '../task/brief.ts';
import type { Given } from '../task/given-files.ts';
import type { Caps } from '../task/caps.ts';
import { checkedMove } from './act.ts';
import { within } from '../process/deadline.ts';
import type { EventSink } from './episode-setup.ts';
import { addUp, LastWords, NOTHING_REPORTED, type SelfReport } from './self-report.ts';
import { broken, cutOff, type Ending, ending, type Trajectory } from './trajectory.ts';

const BEGIN_MS = 30_000;

/**
 * Times an agent that drives by itself, from the start of its process to its last word. Our setup and teardown is neither
 * counted nor capped.
 */
class WallClock {
  readonly #capMs: number;
  readonly #timeUp: (why: 'no start' | 'cap') => void;
  #timer: NodeJS.Timeout;
  #begun: number | null = null;
  #ended: number | null = null;

  /** @param timeUp called once: when the agent did not begin within {@link BEGIN_MS}, or at the cap */
  constructor(capMs: number, timeUp: (why: 'no start' | 'cap') => void) {
    this.#capMs = capMs;
    this.#timeUp = timeUp;
    this.#timer = setTimeout(() => {
      timeUp('no start');
    }, BEGIN_MS);
  }

  /** Only the first call counts, so that an agent gains no time. */
  begin(): void {
    if (this.#begun !== null || this.#ended !== null) return;
    clearTimeout(this.#timer);
    this.#begun = performance.now();
    this.#timer = setTimeout(() => {
      this.#timeUp('cap');
    }, this.#capMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#ended ??= performance.now();
  }

  /** 0 if the agent never began. */
  get ms(): number {
    return this.#begun === null ? 0 : (this.#ended ?? performance.now()) - this.#begun;
  }
}

/** Time for an agent to stop on request or after its last word, in ms. */
const STOP_MS = 10_000;
/** Most characters that are recorded of a reported step's text and of its arguments. */
const MAX_REPORTED_TEXT = 16_000;
/** Most model calls that are recorded of those that an agent reports. */
const MAX_MODEL_CALLS = 10_000;

export interface DriveOptions {
  agent: SelfDrivingAgent;
  brief: Brief;
  caps: Caps;
  cdpUrl: string;
  given?: Given | undefined;
  sink: EventSink;
  /** URL of the active page. */
  currentUrl(): string;
  browser: BrowserHealth;
  browserEnded: Promise<void>;
}

/**
 * Lets an agent drive the browser until it is done, gives up or breaks, or a cap stops it. Its steps are invisible to us: those
 * that it reports count against the caps, and are recorded as its own reports.
 */
export async function drive(options: DriveOptions): Promise<Trajectory> {
  const { agent, brief, caps, cdpUrl, given, sink } = options;
  const log = new DriveLog(options);
  const onEnd = (): void => {
    log.stop(broken('browser', 'the browser process ended'));
  };
  void options.browserEnded.then(onEnd);
  const seat = { brief, cdpUrl, given, redact: (text: string) => sink.clean(text) };
  const driving = within(BEGIN_MS + caps.wall_ms + STOP_MS, () => agent.drive(seat, log.hear, log.signal));
  const own = await driving
    .then((driven) => (driven.finished ? endingOf(driven.value, sink) : ending('timeout', 'it did not stop in time')))
    .catch((error: unknown) => ending('agent_error', sink.clean(messageOf(error))));
  log.clock.end();
  const isCutOff = (await options.browser.condition()) === 'cut_off';
  const last = isCutOff ? cutOff('', sink.clean(options.browser.fault())) : (log.end ?? own);
  return { ...last, steps: null, isolation: log.isolation, wallMs: log.clock.ms };
}

function endingOf(lastMove: unknown, sink: EventSink): Ending {
  const move = checkedMove(lastMove);
  if (move.kind === 'done') return { stop: 'done', detail: null, answer: sink.clean(move.answer) };
  if (move.kind === 'give_up') return ending('gave_up', sink.clean(move.reason));
  return ending('agent_error', `it ended with "${move.kind}", which does not end an episode`);
}

/** Records what an agent reports, and stops it at a cap. */
class DriveLog {
  readonly reported: SelfReport = { ...NOTHING_REPORTED };
  readonly clock: WallClock;
  isolation: Trajectory['isolation'] = null;
  readonly #options: DriveOptions;
  readonly #controller = new AbortController();
  #stopped: Ending | null = null;
  readonly #lastWords = new LastWords();

  constructor(options: DriveOptions) {
    this.#options = options;
    const { wall_ms: wallMs } = options.caps;
    this.clock = new WallClock(wallMs, (why) => {
      this.stop(
        why === 'cap'
          ? ending('timeout', `the wall cap of ${wallMs} ms`)
          : ending('agent_error', `the agent did not begin within ${BEGIN_MS} ms`),
      );
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  stop(end: Ending): void {
    this.#stopped ??= end;
    this.#controller.abort();
  }

  /** Why the agent was stopped, with its last words if its time was up; null if it ended by itself. */
  get end(): Ending | null {
    if (this.#stopped?.stop !== 'timeout') return this.#stopped;
    const detail = `${this.#stopped.detail}: ${this.#options.sink.clean(this.#lastWords.text)}`;
    return { ...this.#stopped, detail };
  }

  readonly hear = (report: AgentReport): void => {
    const { sink } = this.#options;
    // After the stop, only what was printed until then still counts.
    const isOver = this.#stopped !== null;
    if (!isOver || report.kind === 'printed') this.#lastWords.take(report);
    switch (report.kind) {
      case 'begun':
        this.clock.begin();
        break;
      case 'ended':
        this.clock.end();
        break;
      case 'isolation':
        this.isolation = report.isolation;
        sink.event({ type: 'isolated', ...report.isolation });
        break;
      case 'printed':
        sink.event({ type: 'printed', text: report.text, bytes: report.bytes });
        break;
      case 'answered':
        break;
      case 'step':
        if (!isOver) this.#takeStep(report);
        break;
      case 'usage':
        if (!isOver) this.#takeUsage(report.usage);
    }
  };

  #takeStep({ tool, args, ok, text }: Extract<AgentReport, { kind: 'step' }>): void {
    const { caps, sink } = this.#options;
    const { reported } = this;
    if (reported.steps >= caps.steps) {
      this.stop(ending('max_steps', `the cap of ${caps.steps} steps`));
      return;
    }
    reported.steps += 1;
    if (!ok) reported.toolErrors += 1;
    const call = sink.clean({ tool, args });
    const { length } = JSON.stringify(call.args);
    sink.event({
      type: 'reported_step',
      step: reported.steps,
      tool: call.tool,
      args: length > MAX_REPORTED_TEXT ? { cut: `${length} characters` } : call.args,
      ok,
      text: cut(sink.clean(text)),
      url: this.#options.currentUrl(),
    });
  }

  #takeUsage(usage: OwnUsage): void {
    const { caps, sink } = this.#options;
    const { reported } = this;
    const { tokens: maxTokens, cost_usd: maxUsd } = caps;
    if (reported.modelCalls >= MAX_MODEL_CALLS) {
      this.stop(ending('agent_error', `it has reported more than ${MAX_MODEL_CALLS} model calls`));
      return;
    }
    const model = sink.clean(usage.model);
    addUp(reported, { ...usage, model });
    sink.event({
      type: 'reported_usage',
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cached_tokens: usage.cachedTokens,
      cost_usd: usage.costUsd,
      model,
    });
    const tokens = (reported.tokensIn ?? 0) + (reported.tokensOut ?? 0);
    if (maxTokens !== null && tokens > maxTokens) this.stop(spentMore(`${maxTokens} tokens`));
    if (maxUsd !== null && (reported.costUsd ?? 0) > maxUsd) this.stop(spentMore(`${maxUsd} USD`));
  }
}

function spentMore(cap: string): Ending {
  return ending('budget_exceeded', `the cap of ${cap}, by its own count`);
}

function cut(text: string): string {
  if (text.length <= MAX_REPORTED_TEXT) return text;
  return `${text.slice(0, MAX_REPORTED_TEXT)}\n[cut: ${text.length} characters]`;
}

import { isDeepStrictEqual } from 'node:util';
import { capturePages, captureScreenshot, type PagesEvidence } from '../browser/capture.ts';
import { readCookies } from '../browser/fresh-context.ts';
import type { Downloads } from '../browser/downloads.ts';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import type { Observer } from '../browser/observer.ts';
import type { EvaluateOptions } from '../contract/evaluate.ts';
import { type Answer, type Captured, type Evidence, finalUrlIn, missing, present } from '../contract/evidence.ts';
import type { Json } from '../contract/json.ts';
import { judgeTask, type TaskContracts, type TaskJudgement } from '../contract/judge-task.ts';
import { messageOf } from '../contract/message-of.ts';
import { asksForDownloads, asksForFresh, type Contract } from '../contract/schema.ts';
import { withCutBody } from '../world/exchange-log.ts';
import type { Viewport } from '../task/schema.ts';
import type { World } from '../world/world-proxy.ts';
import { wellFormedJson } from '../contract/strings.ts';
import { within } from '../process/deadline.ts';
import { nothingCaptured, withinBudget } from './evidence-budget.ts';
import type { Moment } from './events.ts';
import { loadFresh } from './load-fresh.ts';
import { outsideProof } from './outside-proof.ts';
import type { EventSink } from './episode-setup.ts';
import { fingerprint, settle } from './settle.ts';

export interface JudgeOptions extends EvaluateOptions {
  observer: Observer;
  /** The browser for fresh loads: if possible, one that no entrant has reached. */
  untouched: () => Promise<Pick<JudgedBrowser, 'observer'>>;
  contextId: string;
  world: World;
  contracts: TaskContracts;
  viewport: Viewport;
  settleMs: number;
  sink: EventSink;
}

const STATE_TIMEOUT_MS = 4_000;

type Network = Awaited<ReturnType<World['network']>>;
type Capture = PagesEvidence & { state: Captured<Json>; downloads: ReturnType<Downloads['list']> };

/** One reading of everything, and the number of requests into the world before it. */
interface Reading {
  capture: Capture;
  cookies: Awaited<ReturnType<typeof readCookies>>;
  sent: number;
}

interface Taken {
  evidence: Evidence;
  unsettled: boolean;
  settleMs: number;
  /** When the page had settled, by `performance.now()`. */
  settled: number;
}

/** The passive judge of one episode: settles, captures, stores and evaluates, at the start and at the end. */
export class Judge {
  /** The world's counts at the end capture, before the judge's own requests; null until then. */
  worldAtEnd: WorldCounts | null = null;
  readonly #options: JudgeOptions;
  #startState: Captured<Json> = missing('there was no start capture');
  #since = { contract_enter: 0, last_tool_call: 0 };

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** Notes the position in the world's log. */
  toolCallBegins(): void {
    this.#since.last_tool_call = this.#logPosition();
  }

  /** @throws Error when something cannot be read, which is not the entrant's fault yet */
  async captureStart(): Promise<TaskJudgement> {
    return this.#conclude('start', await this.#take('start', null));
  }

  /**
   * Captures what the entrant has left. If reading it throws, which the entrant may have caused, it is missing.
   * @param obstacle why nothing may be read
   * @throws only errors with {@link outsideProof}
   */
  async captureEnd(answer: Answer | null, obstacle: string | null): Promise<TaskJudgement> {
    let why = obstacle;
    if (why === null) {
      try {
        return this.#conclude('end', await this.#take('end', answer));
      } catch (error) {
        if (outsideProof(error) !== null) throw error;
        why = messageOf(error);
      }
    }
    this.worldAtEnd = worldCounts(this.#options.world);
    const evidence = this.#options.sink.clean(nothingCaptured(why, answer));
    return this.#conclude('end', { evidence, unsettled: true, settleMs: 0, settled: performance.now() });
  }

  async #take(moment: Moment, answer: Answer | null): Promise<Taken> {
    const { observer, contextId, world, settleMs, sink } = this.#options;
    const begun = performance.now();
    let screenshot: Evidence['screenshot'] = missing('no screenshot was taken');
    const draw = async ({ capture: { pages, last_active: active } }: Reading): Promise<void> => {
      const dom = pages.find(({ id }) => id === active)?.dom;
      // A page that cannot be read cannot be drawn either.
      screenshot = dom?.captured === false ? missing(dom.why) : await captureScreenshot(observer, contextId);
    };
    let { value: reading, unsettled } = await settle({
      capture: () => this.#read(),
      fingerprint: (latest) =>
        (moment === 'end' && !this.#isAlone(latest)) || isDownloading(latest) ? null : fingerprint(latest.capture),
      settleMs,
      meanwhile: draw,
    });
    if (moment === 'end') {
      const wasAlone = this.#isAlone(reading);
      await world.cut();
      // A request may come in before the thread of the world knows of the cut.
      if (!wasAlone || !this.#isAlone(reading)) await draw((reading = await this.#read()));
    }
    const settled = performance.now();
    const { capture, cookies } = reading;
    if (moment === 'start') {
      this.#startState = capture.state;
      this.#since = { contract_enter: this.#logPosition(), last_tool_call: this.#logPosition() };
    }
    const network = await world.network();
    if (moment === 'end') this.worldAtEnd = worldCounts(world);
    const { state, downloads, ...pages } = capture;
    const redacted = sink.clean({
      schema_version: 1 as const,
      ...pages,
      fresh: await this.#fresh(moment, pages, { network, cookies }),
      network: network.captured ? present({ entries: network.value.entries, since: this.#since }) : network,
      ...(await this.#downloads(downloads)),
      app_state: this.#appState(state),
      answer,
    });
    const evidence = withinBudget({ ...redacted, network: withCutBodies(redacted.network), screenshot });
    const steady = moment === 'start' ? evidence : await this.#steady(evidence, state);
    return { evidence: steady, unsettled, settleMs: settled - begun, settled };
  }

  #conclude(moment: Moment, { evidence, unsettled, settleMs, settled }: Taken): TaskJudgement {
    const { observer, contextId, sink } = this.#options;
    sink.evidence(moment, evidence);
    const judgement = this.#judge(evidence);
    const { success, guards } = judgement;
    sink.event({ type: 'contract_evaluation', moment, contract: 'success', judgement: success });
    if (guards !== null) sink.event({ type: 'contract_evaluation', moment, contract: 'guards', judgement: guards });
    // The browser's own events may come late, or never if a process is gone.
    const url = finalUrlIn(evidence) ?? sink.clean(observer.activePage(contextId)?.url ?? '');
    const times = { settle_ms: settleMs, judge_ms: performance.now() - settled };
    sink.event({ type: 'judged', moment, unsettled, url, ...times });
    return judgement;
  }

  #judge(evidence: Evidence): TaskJudgement {
    const { contracts, sink } = this.#options;
    return judgeTask(contracts, evidence, { ...this.#options, redact: (text) => sink.clean(text) });
  }

  async #read(): Promise<Reading> {
    const { observer, contextId, world } = this.#options;
    const { sent } = world.traffic;
    const [pages, state, cookies] = await Promise.all([
      capturePages(observer, contextId),
      readState(world),
      this.#asksForFresh() ? readCookies(observer, contextId) : missing('no assertion asks for it'),
    ]);
    return { capture: { ...pages, state, downloads: observer.downloads.list(contextId) }, cookies, sent };
  }

  /** Whether no request reached the world during the reading and none is open, so that pages and state are of one moment. */
  #isAlone({ sent }: Reading): boolean {
    const { traffic } = this.#options.world;
    return traffic.sent === sent && traffic.unanswered === 0;
  }

  /** Reads the state again after all else. It is missing if it has changed in a way that changes a verdict. */
  async #steady(evidence: Evidence, state: Captured<Json>): Promise<Evidence> {
    const { app_state: kept } = evidence;
    if (!kept.captured || !state.captured) return evidence;
    if (this.#options.world.traffic.unanswered > 0)
      return { ...evidence, app_state: missing('the app had yet to answer a request that may change its state') };
    const later = await readState(this.#options.world);
    if (!later.captured) return { ...evidence, app_state: missing(`once all else was captured, ${later.why}`) };
    if (isDeepStrictEqual(later.value, state.value)) return evidence;
    const other = this.#options.sink.clean({ app_state: present({ start: kept.value.start, now: later.value }) });
    const [before, after] = [this.#judge(evidence), this.#judge({ ...evidence, ...other })];
    if (before.goal === after.goal && before.guard === after.guard) return evidence;
    return { ...evidence, app_state: missing('the state changed while the end was captured') };
  }

  #asksForFresh(): boolean {
    return this.#contracts.some(asksForFresh);
  }

  get #contracts(): Contract[] {
    const { success, guards } = this.#options.contracts;
    return guards === undefined ? [success] : [success, guards];
  }

  /** The downloads as they were listed, with their files, which nothing changes any more. */
  async #downloads(listed: Capture['downloads']): Promise<Pick<Evidence, 'downloads'>> {
    if (!this.#contracts.some(asksForDownloads) && !(listed.captured && listed.value.length > 0)) return {};
    if (!listed.captured) return { downloads: listed };
    const { observer, contextId } = this.#options;
    return { downloads: present(await observer.downloads.read(contextId, listed.value)) };
  }

  /** The active page, freshly loaded, which it still is at the start. */
  async #fresh(
    moment: Moment,
    { pages, pages_missing: why, last_active: active }: PagesEvidence,
    { network, cookies }: { network: Network; cookies: Reading['cookies'] },
  ): Promise<Evidence['fresh']> {
    if (!this.#asksForFresh()) return missing('no assertion asks for it');
    const page = pages.find(({ id }) => id === active);
    if (page === undefined) return missing(why ?? 'no page is open');
    if (moment === 'start') {
      // Starts the browser before the entrant, which it would slow down.
      await this.#options.untouched().catch(() => {});
      return present(page);
    }
    if (!cookies.captured) return cookies;
    const { untouched, viewport, world, settleMs } = this.#options;
    return await loadFresh({ page, network, cookies: cookies.value, untouched, viewport, world, settleMs });
  }

  #appState(now: Captured<Json>): Evidence['app_state'] {
    if (!now.captured) return now;
    return this.#startState.captured ? present({ start: this.#startState.value, now: now.value }) : this.#startState;
  }

  #logPosition(): number {
    return this.#options.world.traffic.logged;
  }
}

interface WorldCounts {
  /** Refused requests. */
  outside: number;
  /** Requests that the archive could not answer; null without an archive. */
  offArchive: number | null;
}

export function worldCounts(world: World): WorldCounts {
  return { outside: world.traffic.refused, offArchive: world.offArchive() };
}

function isDownloading({ capture: { downloads } }: Reading): boolean {
  return downloads.captured && downloads.value.some(({ state }) => state === 'in_progress');
}

function withCutBodies(network: Evidence['network']): Evidence['network'] {
  if (!network.captured) return network;
  return present({ ...network.value, entries: network.value.entries.map(withCutBody) });
}

async function readState(world: World): Promise<Captured<Json>> {
  try {
    const read = await within(STATE_TIMEOUT_MS, () => world.state());
    return read.finished
      ? wellFormedJson(read.value)
      : missing(`the app did not return its state within ${STATE_TIMEOUT_MS} ms`);
  } catch (error) {
    return missing(`the app's state could not be read: ${messageOf(error)}`);
  }
}

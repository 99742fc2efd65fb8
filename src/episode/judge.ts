import { capturePages, captureScreenshot, type PagesEvidence } from '../browser/capture.ts';
import { loadAnew } from '../browser/load-anew.ts';
import type { JudgedBrowser } from '../browser/judged-browser.ts';
import type { Observer } from '../browser/observer.ts';
import type { EvaluateOptions } from '../contract/evaluate.ts';
import {
  type Answer,
  type Captured,
  type Evidence,
  missing,
  type PageEvidence,
  present,
} from '../contract/evidence.ts';
import { finalUrlIn } from '../contract/final-url.ts';
import type { Json } from '../contract/json.ts';
import { judgeTask, type TaskContracts, type TaskJudgement } from '../contract/judge-task.ts';
import { messageOf } from '../contract/message-of.ts';
import { asksForFresh } from '../contract/schema.ts';
import { withCutBody } from '../world/exchange-log.ts';
import type { Viewport } from '../task/viewport.ts';
import type { WayIn } from '../world/way-in.ts';
import type { World } from '../world/world.ts';
import { wellFormedJson } from '../task/well-formed.ts';
import { within } from './deadline.ts';
import { nothingCaptured, withinBudget } from './evidence-budget.ts';
import type { Moment } from './events.ts';
import { outsideProof } from './outside-proof.ts';
import type { EventSink } from './ports.ts';
import { settle } from './settle.ts';

export interface JudgeOptions extends EvaluateOptions {
  observer: Observer;
  /** The browser in which pages are loaded anew: one that no entrant has reached, where there is such a one. */
  untouched: () => Promise<Pick<JudgedBrowser, 'observer'>>;
  contextId: string;
  world: World;
  contracts: TaskContracts;
  viewport: Viewport;
  settleMs: number;
  sink: EventSink;
}

/** The capture of one moment, and the judge's verdicts on it. */
export interface JudgedCapture extends TaskJudgement {
  /** Address of the page that was active last. */
  url: string;
  /** Requests that the world had refused by then, by `host:port`. */
  outside: Record<string, number>;
  /** Requests that it had had no answer to by then; null for a world that is no archive. */
  offArchive: number | null;
  unsettled: boolean;
}

/** Time for an app to tell its state, in ms. */
const STATE_TIMEOUT_MS = 4_000;

const NOT_SERVED = 'the page was loaded, and the log of the world has nothing of that load';

type Network = ReturnType<World['network']>;
type Capture = PagesEvidence & { state: Captured<Json> };

/** The evidence of one moment, and what is known beside it. */
interface Taken extends Pick<JudgedCapture, 'outside' | 'offArchive' | 'unsettled'> {
  evidence: Evidence;
  settleMs: number;
  /** When it had come to rest, as `performance.now()` has it. */
  settled: number;
}

// Which number a node has inside the browser may change without anything changing.
const VOLATILE = new Set(['backendNodeId', 'owner_backend_node_id']);

/** The passive judge of one episode: settles, captures, stores, evaluates. It is asked twice: at the start and at the end. */
export class Judge {
  readonly #options: JudgeOptions;
  #startState: Captured<Json> = missing('there was no start capture');
  #since = { contract_enter: 0, last_tool_call: 0 };

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  /** Notes where the world's log stands as a tool call begins. */
  toolCallBegins(): void {
    this.#since.last_tool_call = this.#logPosition();
  }

  /** @throws Error when something cannot be read: nobody has acted yet. */
  async captureStart(): Promise<JudgedCapture> {
    return this.#conclude('start', await this.#take('start', null));
  }

  /**
   * Captures what an entrant has left, which may be made so that reading it throws: what could not be read is missing then.
   * @param obstacle why nothing can be read; null when nothing speaks against it
   * @throws what {@link outsideProof} knows
   */
  async captureEnd(answer: Answer | null, obstacle: string | null): Promise<JudgedCapture> {
    let why = obstacle;
    if (why === null) {
      try {
        return this.#conclude('end', await this.#take('end', answer));
      } catch (error) {
        if (outsideProof(error) !== null) throw error;
        why = messageOf(error);
      }
    }
    const { sink, world } = this.#options;
    return this.#conclude('end', {
      evidence: sink.clean(nothingCaptured(why, answer)),
      outside: world.outside(),
      offArchive: world.offArchive(),
      unsettled: true,
      settleMs: 0,
      settled: performance.now(),
    });
  }

  async #take(moment: Moment, answer: Answer | null): Promise<Taken> {
    const { observer, contextId, world, settleMs, sink } = this.#options;
    const begun = performance.now();
    let screenshot: Evidence['screenshot'] = missing('no screenshot was taken');
    const { value: capture, unsettled } = await settle({
      capture: () => this.#read(),
      fingerprint,
      settleMs,
      meanwhile: async ({ pages, last_active: active }) => {
        const dom = pages.find(({ id }) => id === active)?.dom;
        // A page that cannot be read cannot be drawn either, and would only be waited for once more.
        screenshot = dom?.captured === false ? missing(dom.why) : await captureScreenshot(observer, contextId);
      },
    });
    const settled = performance.now();
    if (moment === 'start') {
      this.#startState = capture.state;
      this.#since = { contract_enter: this.#logPosition(), last_tool_call: this.#logPosition() };
    }
    const [network, outside, offArchive] = [world.network(), world.outside(), world.offArchive()];
    const { state, ...pages } = capture;
    const redacted = sink.clean({
      schema_version: 1 as const,
      ...pages,
      fresh: await this.#fresh(moment, pages, network),
      network: network.captured ? present({ entries: network.value.entries, since: this.#since }) : network,
      app_state: this.#appState(state),
      answer,
    });
    const evidence = withinBudget({ ...redacted, network: withCutBodies(redacted.network), screenshot });
    return { evidence, outside, offArchive, unsettled, settleMs: settled - begun, settled };
  }

  #conclude(moment: Moment, { evidence, settleMs, settled, ...taken }: Taken): JudgedCapture {
    const { observer, contextId, sink, contracts } = this.#options;
    sink.evidence(moment, evidence);
    const judgement = judgeTask(contracts, evidence, { ...this.#options, redact: (text) => sink.clean(text) });
    const { success, guards } = judgement;
    sink.event({ type: 'contract_evaluation', moment, contract: 'success', judgement: success });
    if (guards !== null) sink.event({ type: 'contract_evaluation', moment, contract: 'guards', judgement: guards });
    // The browser's own events may come late, or never where a process has gone.
    const url = finalUrlIn(evidence) ?? sink.clean(observer.activePage(contextId)?.url ?? '');
    const times = { settle_ms: settleMs, judge_ms: performance.now() - settled };
    sink.event({ type: 'judged', moment, unsettled: taken.unsettled, url, ...times });
    return { ...judgement, ...taken, url };
  }

  async #read(): Promise<Capture> {
    const { observer, contextId, world } = this.#options;
    const [pages, state] = await Promise.all([capturePages(observer, contextId), readState(world)]);
    return { ...pages, state };
  }

  /** The active page, loaded anew. At the start it is so already: nobody has acted on it. */
  async #fresh(
    moment: Moment,
    { pages, pages_missing: why, last_active: active }: PagesEvidence,
    network: Network,
  ): Promise<Evidence['fresh']> {
    const { contracts, observer, contextId, viewport, world, settleMs } = this.#options;
    const { success, guards } = contracts;
    if (!asksForFresh(success) && (guards === undefined || !asksForFresh(guards)))
      return missing('no assertion asks for it');
    const page = pages.find(({ id }) => id === active);
    if (page === undefined) return missing(why ?? 'no page is open');
    if (moment === 'start') {
      // Before the entrant begins, whom it would slow down. Whether it could be started matters when it is needed.
      await this.#options.untouched().catch(() => {});
      return present(page);
    }
    const url = addressToLoad(page.url, network);
    if (!url.captured) return url;
    const settled = async (read: () => Promise<PageEvidence | undefined>) => {
      const { value } = await settle({
        capture: read,
        fingerprint: (shown) => (shown === undefined ? null : fingerprint({ pages: [shown] })),
        settleMs,
        meanwhile: () => Promise.resolve(),
      });
      return value;
    };
    const from = { observer, contextId };
    let way: WayIn | null = null;
    try {
      const other = await this.#options.untouched();
      way = await world.anotherWay();
      const { proxy } = way;
      const loaded = await loadAnew(other.observer, { from, url: url.value, viewport, proxy, settle: settled });
      return !loaded.captured || wasServed(url.value, way.network()) ? loaded : missing(NOT_SERVED);
    } catch (error) {
      return missing(messageOf(error));
    } finally {
      await way?.close();
    }
  }

  #appState(now: Captured<Json>): Evidence['app_state'] {
    if (!now.captured) return now;
    return this.#startState.captured ? present({ start: this.#startState.value, now: now.value }) : this.#startState;
  }

  #logPosition(): number {
    const network = this.#options.world.network();
    return network.captured ? network.value.next : 0;
  }
}

/** The part that must be alike in two captures that follow each other; null while a page loads, or when it is too much to compare. */
function fingerprint(capture: Pick<Capture, 'pages'>): string | null {
  if (capture.pages.some(({ dom }) => dom.captured && dom.value.loading)) return null;
  try {
    return JSON.stringify(capture, (key, part: unknown) => (VOLATILE.has(key) ? undefined : part));
  } catch {
    return null;
  }
}

/** An address that may be loaded once more: one whose page was not the answer to a form that was sent. */
function addressToLoad(shown: Captured<string>, network: Network): Captured<string> {
  if (!shown.captured) return shown;
  const url = shown.value.replace(/#.*$/s, '');
  if (!/^https?:/.test(url)) return missing(`${url} is no address of the world`);
  if (!network.captured) return network;
  const method = network.value.entries.findLast((entry) => entry.url === url)?.method ?? 'GET';
  return method === 'GET' ? shown : missing(`it came as the answer to a ${method}, which is not to be sent again`);
}

/** Whether the world was asked for an address by the judge's own way in: a page that it did not send is no evidence. */
function wasServed(address: string, network: Network): boolean {
  if (!network.captured) return false;
  const asked = new URL(address);
  asked.hash = asked.username = asked.password = '';
  return network.value.entries.some(({ url }) => url === asked.href);
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
      : missing(`the app did not tell its state within ${STATE_TIMEOUT_MS} ms`);
  } catch (error) {
    return missing(`the app's state could not be read: ${messageOf(error)}`);
  }
}

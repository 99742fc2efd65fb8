import { capturePages, captureScreenshot } from '../browser/capture.ts';
import type { Observer } from '../browser/observer.ts';
import { evaluate, type EvaluateOptions } from '../contract/evaluate.ts';
import { type Answer, type Captured, type Evidence, missing, present } from '../contract/evidence.ts';
import type { Judgement } from '../contract/judgement.ts';
import type { Contract } from '../contract/schema.ts';
import type { Json } from '../world/app.ts';
import type { World } from '../world/world.ts';
import type { EventSink, Redactor } from './ports.ts';
import { settle } from './settle.ts';

/** The two questions that a task asks of its evidence. */
export interface Contracts {
  success: Contract;
  guards?: Contract | undefined;
}

export interface JudgeOptions extends EvaluateOptions {
  observer: Observer;
  contextId: string;
  world: World;
  contracts: Contracts;
  settleMs: number;
  redactor: Redactor;
  sink: EventSink;
}

/** What the judge says at one moment. `guards` is null when the task has none. */
export interface Hearing {
  success: Judgement;
  guards: Judgement | null;
  /** Name of the stored evidence. */
  evidence: string;
  unsettled: boolean;
  settleMs: number;
  judgeMs: number;
}

type Moment = 'start' | 'end';
type Capture = Pick<Evidence, 'pages' | 'last_active'> & { state: Captured<Json> };

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

  async hear(moment: Moment, answer: Answer | null): Promise<Hearing> {
    const { observer, contextId, world, settleMs, redactor, sink, contracts } = this.#options;
    const begun = performance.now();
    let screenshot: Evidence['screenshot'] = missing('no screenshot was taken');
    const { value: capture, unsettled } = await settle({
      capture: () => this.#capture(),
      fingerprint: (value) => JSON.stringify(value, (key, part: unknown) => (VOLATILE.has(key) ? undefined : part)),
      settleMs,
      meanwhile: async () => {
        screenshot = await captureScreenshot(observer, contextId);
      },
    });
    const settled = performance.now();
    if (moment === 'start') {
      this.#startState = capture.state;
      this.#since = { contract_enter: this.#logPosition(), last_tool_call: this.#logPosition() };
    }
    const network = world.network();
    const { state, ...pages } = capture;
    const evidence: Evidence = {
      ...redactor.json({
        schema_version: 1 as const,
        ...pages,
        network: network.captured ? present({ entries: network.value.entries, since: this.#since }) : network,
        app_state: this.#appState(state),
        answer,
      }),
      screenshot,
    };
    const name = await sink.evidence(moment, evidence);
    const success = this.#evaluate(moment, 'success', contracts.success, evidence, name);
    const guards =
      contracts.guards === undefined ? null : this.#evaluate(moment, 'guards', contracts.guards, evidence, name);
    const judgeMs = performance.now() - settled;
    return { success, guards, evidence: name, unsettled, settleMs: settled - begun, judgeMs };
  }

  async #capture(): Promise<Capture> {
    const { observer, contextId, world } = this.#options;
    const [pages, state] = await Promise.all([capturePages(observer, contextId), readState(world)]);
    return { ...pages, state };
  }

  #appState(now: Captured<Json>): Evidence['app_state'] {
    if (!now.captured) return now;
    return this.#startState.captured ? present({ start: this.#startState.value, now: now.value }) : this.#startState;
  }

  #evaluate(
    moment: Moment,
    which: 'success' | 'guards',
    contract: Contract,
    evidence: Evidence,
    name: string,
  ): Judgement {
    const judgement = evaluate(contract, evidence, this.#options);
    this.#options.sink.event({ type: 'contract_evaluation', moment, contract: which, judgement, evidence: name });
    return judgement;
  }

  #logPosition(): number {
    const network = this.#options.world.network();
    return network.captured ? network.value.next : 0;
  }
}

async function readState(world: World): Promise<Captured<Json>> {
  try {
    return await world.state();
  } catch (error) {
    return missing(`the app's state could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

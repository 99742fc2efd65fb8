import { setTimeout as sleep } from 'node:timers/promises';
import { isElementStep, type Intent } from '../../task/intent.ts';
import type { ToolCall, ToolReply } from '../../task/tool.ts';
import type { Agent, AgentSeat, Move } from '../agent.ts';
import { Settling } from './settling.ts';
import { doneBy, followingSolution, isEnd } from './reference.ts';
import { namesDialog } from './reply-texts.ts';

/** Pauses before successive tries that make no progress, in ms. After the last it starts over once, and then gives up. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000];

type Step = Exclude<Intent, { do: 'answer' | 'not_possible' | 'settle' }>;

/**
 * Follows a solution like the reference. After a failed step it looks again, waits, and resumes at the last step whose element is on
 * the page. Without such a step it reopens the start page, once. Recovery counts against the same caps.
 */
export function retryingAgent(id: string, steps: readonly Intent[]): Agent {
  return {
    id,
    decider: 'reference',
    open: (seat) => {
      const follower = new Follower(steps, seat);
      return Promise.resolve({ next: (last, signal) => follower.next(last, signal) });
    },
  };
}

export const retryingReferenceKind = followingSolution(
  'retrying-reference',
  'the same, and looks again and retries where a step fails',
  retryingAgent,
);

type Phase = 'step' | 'part' | 'look' | 'dialog' | 'start';

class Follower {
  readonly #steps: readonly Intent[];
  readonly #seat: AgentSeat;
  readonly #settling = new Settling();
  #position = 0;
  #phase: Phase | null = null;
  /** The furthest step that was done, and the tries since. */
  #furthest = 0;
  #tries = 0;
  #hasBegunAgain = false;
  /** The last step that failed. */
  #failed: number | null = null;

  constructor(steps: readonly Intent[], seat: AgentSeat) {
    this.#steps = steps;
    this.#seat = seat;
  }

  async next(last: ToolReply | null, signal: AbortSignal): Promise<Move> {
    if (last !== null && this.#phase === 'step' && last.ok) this.#stepIsDone();
    const hasFailed = last !== null && !last.ok;
    if (hasFailed && this.#phase === 'step') this.#failed = this.#position;
    const intent = this.#steps[this.#position];
    if (isEnd(intent)) return doneBy(intent);
    if (intent.do === 'settle') return await this.#settle(last, signal);
    return hasFailed ? await this.#recover(last, signal) : await this.#follow(intent, last, signal);
  }

  #stepIsDone(): void {
    this.#position += 1;
    if (this.#position <= this.#furthest) return;
    this.#furthest = this.#position;
    this.#tries = 0;
  }

  /** Goes on even if the page does not settle: the next step looks again if need be. */
  async #settle(last: ToolReply | null, signal: AbortSignal): Promise<Move> {
    const settled = await this.#settling.next(null, last, this.#seat, signal);
    if (settled !== 'settled' && 'look' in settled) return this.#move('part', settled.look);
    this.#stepIsDone();
    return await this.next(last, signal);
  }

  async #follow(intent: Step, last: ToolReply | null, signal: AbortSignal): Promise<Move> {
    const binding = await this.#seat.bind(intent, last);
    if (binding.kind === 'impossible') return { kind: 'give_up', reason: binding.why };
    if (binding.kind !== 'observe') return this.#move(binding.kind === 'call' ? 'step' : 'part', binding.call);
    if (this.#phase !== 'look') return this.#move('look', binding.call);
    return await this.#goBack(last, signal);
  }

  /** After a failed call: answers an open dialog, else looks again. */
  async #recover(last: ToolReply, signal: AbortSignal): Promise<Move> {
    if (this.#phase !== 'dialog' && namesDialog(last)) {
      const binding = await this.#seat.bind({ do: 'dialog', action: 'accept' }, last);
      if (binding.kind === 'call') return this.#move('dialog', binding.call);
    }
    return await this.#lookAgain(last, signal);
  }

  /** Resumes at the last earlier step whose element is on the page. */
  async #goBack(last: ToolReply | null, signal: AbortSignal): Promise<Move> {
    for (let earlier = this.#position - 1; earlier >= 0; earlier -= 1) {
      const intent = this.#steps[earlier];
      if (intent === undefined || !isElementStep(intent)) continue;
      const binding = await this.#seat.bind(intent, last);
      if (binding.kind !== 'call') continue;
      if (await this.#isTooMuch(signal)) return await this.#beginAgain(last);
      this.#position = earlier;
      return this.#move('step', binding.call);
    }
    return (await this.#lookAhead(last)) ?? (await this.#lookAgain(last, signal));
  }

  /** A call that failed may have been carried out: its element is gone then, and the text that follows is there. */
  async #lookAhead(last: ToolReply | null): Promise<Move | null> {
    const next = this.#steps[this.#position + 1];
    if (this.#failed !== this.#position || this.#tries < 2 || next?.do !== 'wait_for') return null;
    const binding = await this.#seat.bind(next, last);
    if (binding.kind !== 'call') return null;
    this.#position += 1;
    return this.#move('step', binding.call);
  }

  async #lookAgain(last: ToolReply | null, signal: AbortSignal): Promise<Move> {
    if (await this.#isTooMuch(signal)) return await this.#beginAgain(last);
    // The text to wait for follows from an earlier action, which is repeated.
    const isWait = this.#steps[this.#position]?.do === 'wait_for';
    if (isWait && this.#tries > 1) this.#position = this.#lastAction();
    const binding = await this.#seat.bind({ do: 'read' }, last);
    if (binding.kind === 'impossible') return { kind: 'give_up', reason: binding.why };
    return this.#move('look', binding.call);
  }

  #lastAction(): number {
    const before = this.#steps.slice(0, this.#position);
    return Math.max(
      0,
      before.map((step) => step.do).findLastIndex((verb) => ['click', 'press'].includes(verb)),
    );
  }

  /** Waits longer each time. @returns whether there were too many tries */
  async #isTooMuch(signal: AbortSignal): Promise<boolean> {
    const pause = PAUSES_MS[this.#tries];
    if (pause === undefined) return true;
    this.#tries += 1;
    await sleep(pause, undefined, { signal }).catch(() => {});
    return false;
  }

  async #beginAgain(last: ToolReply | null): Promise<Move> {
    const binding = await this.#seat.bind({ do: 'go', url: this.#seat.brief.startUrl }, last);
    if (this.#hasBegunAgain || binding.kind !== 'call') return { kind: 'give_up', reason: 'it got no further' };
    this.#hasBegunAgain = true;
    this.#tries = 0;
    this.#furthest = 0;
    this.#position = 0;
    return this.#move('start', binding.call);
  }

  #move(phase: Phase, call: ToolCall): Move {
    this.#phase = phase;
    return { kind: 'call', call };
  }
}

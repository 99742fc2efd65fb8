import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { messageOf } from '../../contract/message-of.ts';
import { emptiness, type Purse, type Settle } from '../../episode/purse.ts';
import { doToMoney } from './money-scripts.ts';
import { orStopped } from './or-stopped.ts';
import { patiently } from './patiently.ts';

/** Time between two questions for money that others hold, in ms; and after Redis would not answer. */
const LOOK_MS = 200;
const REFUSED_MS = 1_000;
const VOID = 'the coordinator has given up this attempt';

export interface SharedPurseOptions {
  client: Redis;
  /** The hash that stands for the campaign in messages. */
  campaign: string;
  attempt: string;
  note: (line: string) => void;
}

/**
 * The money of a campaign that workers on many machines share, for one attempt, which has one call at a time. No call is made before
 * Redis has said that it may.
 */
export class SharedPurse implements Purse {
  readonly #options: SharedPurseOptions;
  /** The same attempt may be run twice, where a Redis has forgotten that it is being run. */
  readonly #run: string;
  #spent = 0;
  #held = 0;
  #empty: string | null = null;
  /** Whether Redis is being asked: what it has of this attempt may be more than what is known here. */
  #isAsking = false;
  readonly #saying = new Set<Promise<void>>();

  constructor(options: SharedPurseOptions) {
    this.#options = options;
    this.#run = `${options.attempt}/${randomUUID()}`;
  }

  get empty(): string | null {
    return this.#empty;
  }

  async reserve(most: number, signal: AbortSignal): Promise<Settle> {
    signal.throwIfAborted();
    this.#isAsking = true;
    try {
      while (!(await this.#isSettled(most, signal)));
    } catch (error) {
      // Redis may hold it already.
      this.#say();
      throw error;
    } finally {
      this.#isAsking = false;
    }
    let isOpen = true;
    return (usd) => {
      if (!isOpen) return;
      isOpen = false;
      this.#held = 0;
      this.take(usd);
    };
  }

  take(usd: number): void {
    this.#spent += usd;
    this.#say();
  }

  /** Says once more what the attempt has spent and holds: a Redis that was away may have forgotten it. */
  sayAgain(): void {
    if (!this.#isAsking && this.#spent + this.#held > 0) this.#say();
  }

  /** Resolves when Redis knows all that was spent, and nothing is on its way to it any more. */
  async said(): Promise<void> {
    while (this.#saying.size > 0) await Promise.all(this.#saying);
  }

  /** Asks Redis once whether a call may be made; true also where none is to be made at all, as {@link empty} says then. */
  async #isSettled(most: number, signal: AbortSignal): Promise<boolean> {
    const { client, campaign, attempt, note } = this.#options;
    try {
      const asked = doToMoney(client, campaign, 'reserve', this.#run, attempt, this.#spent, most);
      const { word, numbers } = await orStopped(asked, signal);
      const [spent = 0, cap = 0] = numbers;
      this.#empty = word === 'spent' ? emptiness(spent, cap) : word === 'void' ? VOID : null;
      if (word === 'go') this.#held = most;
      if (word !== 'wait') return true;
    } catch (error) {
      signal.throwIfAborted();
      note(`the money of the campaign: ${messageOf(error)}`);
      await orStopped(setTimeout(REFUSED_MS), signal);
      return false;
    }
    await orStopped(setTimeout(LOOK_MS), signal);
    return false;
  }

  #say(): void {
    const { client, campaign, attempt, note } = this.#options;
    const saying = patiently(async () => {
      await doToMoney(client, campaign, 'say', this.#run, attempt, this.#spent, this.#held);
    }).catch((error: unknown) => {
      note(`the money of the campaign: ${messageOf(error)}`);
    });
    this.#saying.add(saying);
    void saying.finally(() => this.#saying.delete(saying));
  }
}

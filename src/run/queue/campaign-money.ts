import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { messageOf } from '../../contract/message-of.ts';
import { emptiness, type Purse } from '../../episode/purse.ts';
import type { Budget } from '../spent-before.ts';
import { doToMoney, moneyKeys } from './money-scripts.ts';
import { patiently } from './patiently.ts';

/** Time between two looks for a Redis that has been given again what it has forgotten, in ms. */
const LOOK_MS = 250;

export interface CampaignMoneyOptions {
  client: Redis;
  /** The hash that stands for the campaign in messages. */
  campaign: string;
  budget: Budget;
  note: (line: string) => void;
}

/**
 * The money of a campaign as its coordinator keeps it in Redis: what has ended, and the cap. What is under way, workers say
 * themselves. It is never less than what the ledger has, and what an attempt holds whose worker is lost counts as spent.
 */
export class CampaignMoney implements Pick<Purse, 'empty' | 'take'> {
  readonly #options: CampaignMoneyOptions;
  /** The least that is spent, and the last words of those who are under way: Redis may forget both. */
  #base: number;
  #runs = new Map<string, string>();
  /** Sealed attempts whose end Redis has answered and still remembers: none of them is ended again. */
  readonly #answered = new Set<string>();

  private constructor(options: CampaignMoneyOptions, base: number) {
    this.#options = options;
    this.#base = base;
  }

  /** Lays out the money of a campaign that begins or goes on; what was under way before counts as spent. */
  static async open(options: CampaignMoneyOptions): Promise<CampaignMoney> {
    const { client, campaign, budget } = options;
    const { numbers } = await doToMoney(client, campaign, 'open', budget.spent, capOf(budget));
    return new CampaignMoney(options, Math.max(budget.spent, ...numbers));
  }

  get empty(): string | null {
    const { cap } = this.#options.budget;
    return cap === null ? null : emptiness(this.#base, cap);
  }

  take(usd: number): void {
    const { client, campaign, note } = this.#options;
    this.#base += usd;
    doToMoney(client, campaign, 'take', usd, randomUUID()).catch((error: unknown) => {
      note(`the money of the campaign: ${messageOf(error)}`);
    });
  }

  /**
   * Counts what an attempt has cost that has ended.
   * @param known by its record; null of one that is void
   */
  async end(attempt: string, known: number | null): Promise<void> {
    const as = known === null ? 'void' : 'sealed';
    // A Redis that is full refuses all that is said to it.
    const hasEnded = async (): Promise<boolean> => this.#hasEnded(attempt, known ?? 0, as);
    while (!(await patiently(hasEnded))) await setTimeout(LOOK_MS);
  }

  /** False of a Redis that has to be given the money again before anything can end. */
  async #hasEnded(attempt: string, usd: number, as: 'sealed' | 'void' | 'stray'): Promise<boolean> {
    const { client, campaign } = this.#options;
    const answered = [...this.#answered];
    const { word, numbers } = await doToMoney(client, campaign, 'end', attempt, usd, as, ...answered);
    for (const each of answered) this.#answered.delete(each);
    if (word !== 'ended') return false;
    if (as === 'sealed') this.#answered.add(attempt);
    this.#base = Math.max(this.#base, ...numbers);
    for (const run of this.#runs.keys()) if (attemptOf(run) === attempt) this.#runs.delete(run);
    return true;
  }

  /**
   * Gives a Redis again what it may have forgotten, and hears what was said meanwhile.
   * @param isUnderWay false of an attempt that this coordinator has not, or no longer: what it holds is spent
   */
  async keep(isUnderWay: (attempt: string) => boolean): Promise<void> {
    const { client, campaign, budget } = this.#options;
    const { word, numbers, runs } = await doToMoney(
      client,
      campaign,
      'keep',
      this.#base,
      capOf(budget),
      ...[...this.#runs].flat(),
    );
    this.#base = Math.max(this.#base, ...numbers);
    if (word !== 'there') return;
    this.#runs = new Map(runs);
    const strays = new Set([...this.#runs.keys()].map(attemptOf).filter((attempt) => !isUnderWay(attempt)));
    // Whatever cannot be ended now is ended with the next word: nobody else would give Redis what it has forgotten.
    for (const attempt of strays) await this.#hasEnded(attempt, 0, 'stray');
  }

  /** Leaves nothing of a campaign that is done. */
  async forget(): Promise<void> {
    const { client, campaign } = this.#options;
    await client.del(...moneyKeys(campaign));
  }
}

function attemptOf(run: string): string {
  return run.slice(0, run.indexOf('/'));
}

function capOf({ cap }: Budget): string {
  return cap === null ? 'none' : String(cap);
}

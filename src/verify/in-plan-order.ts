import type { Row } from '../bundle/row.ts';
import type { SealedRow } from '../bundle/sealed-rows.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { type PartOfPlan, placeIn } from '../plan/part-of-plan.ts';
import type { CountedSeal } from './against-ledger.ts';
import type { TakeRow } from './verify.ts';

/**
 * Passes counted rows on in plan order. The ledger has them in that order, or, if some ran at once, nearly so: then a row waits for
 * those before it. A row that comes too late, which is a finding, is not passed on.
 */
export class InPlanOrder {
  readonly #take: TakeRow;
  readonly #of: PartOfPlan;
  readonly #isMerged: boolean;
  readonly #seals: CountedSeal[] = [];
  readonly #waiting = new Map<number, Row>();
  #next = 0;

  constructor(take: TakeRow, campaign: PartOfPlan & Pick<CampaignFile, 'parts'>) {
    this.#take = take;
    this.#of = campaign;
    this.#isMerged = campaign.parts !== undefined;
  }

  async take({ row, sealHash }: SealedRow): Promise<void> {
    this.#seals.push({ place: row.plan_index, hash: sealHash });
    const place = placeIn(row.plan_index, this.#of);
    if (place < this.#next || this.#waiting.has(place)) return;
    this.#waiting.set(place, row);
    // A row that ran alone began when all before it had ended, except in other parts. A cell that cannot run begins nothing.
    const ranAlone = row.started_at !== null && row.concurrency === undefined;
    if (ranAlone && !this.#isMerged) await this.#passUpTo(place);
    while (this.#waiting.has(this.#next)) await this.#pass(this.#next);
  }

  /** Passes on the waiting rows, since those before them are missing. */
  async end(): Promise<void> {
    await this.#passUpTo(Number.POSITIVE_INFINITY);
  }

  seals(): CountedSeal[] {
    return this.#seals.toSorted((a, b) => a.place - b.place);
  }

  async #passUpTo(last: number): Promise<void> {
    const places = [...this.#waiting.keys()].filter((place) => place <= last).toSorted((a, b) => a - b);
    for (const place of places) await this.#pass(place);
  }

  async #pass(place: number): Promise<void> {
    const row = this.#waiting.get(place);
    if (row === undefined) return;
    this.#waiting.delete(place);
    this.#next = place + 1;
    await this.#take(row);
  }
}

import type { Row } from '../bundle/row.ts';
import type { SealedRow } from '../bundle/sealed-rows.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { type PartOfPlan, placeIn } from '../plan/part-of-plan.ts';
import type { CountedSeal } from './against-ledger.ts';
import type { TakeRow } from './verify.ts';

/**
 * Hands counted rows on in plan order. They come as the ledger has them: in that order where they ran one after the other, and
 * nearly in it where some ran at once; then a row waits for those before it. One that comes too late, which a finding tells
 * of, is not handed on.
 */
export class InPlanOrder {
  readonly #take: TakeRow;
  readonly #of: PartOfPlan;
  readonly #isMerged: boolean;
  readonly #seals: CountedSeal[] = [];
  readonly #waiting = new Map<number, Row>();
  /** Place of the row that is handed on next. */
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
    // Who ran alone began when all others had ended: nothing that comes before it is still to come, but from other parts. What
    // could not run has begun nothing, and may be told of while others run.
    const ranAlone = row.started_at !== null && row.concurrency === undefined;
    if (ranAlone && !this.#isMerged) await this.#handOnTo(place);
    await this.#handOnWhole();
  }

  /** Hands on what still waits: rows before it are missing. */
  async end(): Promise<void> {
    await this.#handOnTo(Number.POSITIVE_INFINITY);
  }

  seals(): CountedSeal[] {
    return this.#seals.toSorted((a, b) => a.place - b.place);
  }

  async #handOnTo(last: number): Promise<void> {
    const places = [...this.#waiting.keys()].filter((place) => place <= last).toSorted((a, b) => a - b);
    for (const place of places) await this.#handOn(place);
  }

  async #handOnWhole(): Promise<void> {
    while (this.#waiting.has(this.#next)) await this.#handOn(this.#next);
  }

  async #handOn(place: number): Promise<void> {
    const row = this.#waiting.get(place);
    if (row === undefined) return;
    this.#waiting.delete(place);
    this.#next = place + 1;
    await this.#take(row);
  }
}

import { canonicalJson, sha256Hex } from '../contract/canonical.ts';
import { GENESIS, type LedgerRecord } from './ledger-record.ts';

/** A record outside a chain, with its original time. */
type Unlinked = LedgerRecord extends infer R ? (R extends LedgerRecord ? Omit<R, 'seq' | 'prev'> : never) : never;

/** A chain that records are linked into; it holds none of them. */
export class LedgerChain {
  #seq = 0;
  #head = GENESIS;

  get head(): string {
    return this.#head;
  }

  link(record: Unlinked): string {
    this.#seq += 1;
    const line = canonicalJson({ ...record, seq: this.#seq, prev: this.#head });
    this.#head = sha256Hex(line);
    return line;
  }
}

/**
 * Yields the lines of one chain for the ledgers of parts. Each record keeps its time and names its part; episodes come in plan
 * order, and the records of a part in their own, so that {@link PartChains} can make the chain of each part again.
 * @param placeOf an episode in the plan
 */
export async function* mergedLedger(
  parts: readonly AsyncIterable<LedgerRecord>[],
  placeOf: (episodeId: string) => number,
): AsyncGenerator<string> {
  const chain = new LedgerChain();
  const heads = await Promise.all(parts.map(async (records, at) => PartHead.of(records, at + 1, placeOf)));
  for (;;) {
    const next = heads.reduce<PartHead | null>((first, each) => {
      if (each.record === null) return first;
      return first === null || each.place < first.place ? each : first;
    }, null);
    if (next === null || next.record === null) return;
    yield chain.link({ ...withoutLink(next.record), part: next.part });
    await next.advance();
  }
}

/** The next record of a part. One without an episode stays after the one before it. */
class PartHead {
  readonly part: number;
  readonly #records: AsyncIterator<LedgerRecord>;
  readonly #placeOf: (episodeId: string) => number;
  record: LedgerRecord | null = null;
  place = -1;

  private constructor(records: AsyncIterable<LedgerRecord>, part: number, placeOf: (episodeId: string) => number) {
    this.#records = records[Symbol.asyncIterator]();
    this.part = part;
    this.#placeOf = placeOf;
  }

  static async of(
    records: AsyncIterable<LedgerRecord>,
    part: number,
    placeOf: (episodeId: string) => number,
  ): Promise<PartHead> {
    const head = new PartHead(records, part, placeOf);
    await head.advance();
    return head;
  }

  async advance(): Promise<void> {
    const next = await this.#records.next();
    this.record = next.done === true ? null : next.value;
    if (this.record !== null && 'episode_id' in this.record) this.place = this.#placeOf(this.record.episode_id);
  }
}

/** The chains of the parts of a merged ledger: each ends as the ledger of its part. */
export class PartChains {
  readonly #chains = new Map<number, LedgerChain>();

  take(record: LedgerRecord): void {
    const { part, ...own } = withoutLink(record);
    if (part === undefined) return;
    const chain = this.#chains.get(part) ?? new LedgerChain();
    this.#chains.set(part, chain);
    chain.link(own);
  }

  headOf(part: number): string {
    return this.#chains.get(part)?.head ?? GENESIS;
  }
}

function withoutLink({ seq: _seq, prev: _prev, ...record }: LedgerRecord): Unlinked {
  return record;
}

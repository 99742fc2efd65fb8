import { printable } from '../messages/printable.ts';
import { statSync } from 'node:fs';
import type { BundleLayout } from '../bundle/layout.ts';
import { readLedger } from '../bundle/ledger.ts';
import { countedRowsIn, rowsSealedIn, type SealedRow } from '../bundle/sealed-rows.ts';
import { messageOf } from '../contract/message-of.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import { PlannedEpisodes } from '../plan/part-of-plan.ts';
import type { Report } from '../report/report.ts';
import { type Standing, standingOf } from './standing.ts';
import { ViewedBundle } from './viewed-bundle.ts';

/** Least time between two reads of a ledger, in ms. */
const MIN_WAIT_MS = 500;
/** Pause after a read, as a multiple of its duration, so that a large bundle keeps no core busy. */
const REST = 10;

interface Options {
  layout: BundleLayout;
  campaign: CampaignFile;
  draw: (sealed: readonly SealedRow[]) => Report;
}

/** The current state of a bundle, which is read again when its ledger has grown until the campaign is complete. */
export class FollowedBundle {
  readonly #options: Options;
  readonly #episodes: PlannedEpisodes;
  readonly #listeners = new Set<(standing: Standing) => void>();
  #known = new Map<string, SealedRow>();
  #now: { bundle: ViewedBundle; sealed: readonly SealedRow[]; standing: Standing; report: Report | null };
  #size = -1;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  private constructor(options: Options) {
    const { layout, campaign } = options;
    this.#options = options;
    this.#episodes = new PlannedEpisodes(campaign);
    const standing = standingOf(campaign, this.#episodes, { records: [], counted: [] });
    this.#now = { bundle: new ViewedBundle(layout, campaign, []), sealed: [], standing, report: null };
  }

  /** @throws BundleError when the bundle cannot be read. */
  static async open(options: Options): Promise<FollowedBundle> {
    const followed = new FollowedBundle(options);
    await followed.#read();
    if (!followed.isOver) followed.#wait(MIN_WAIT_MS);
    return followed;
  }

  get bundle(): ViewedBundle {
    return this.#now.bundle;
  }

  /** In the order of the ledger. */
  get sealed(): readonly SealedRow[] {
    return this.#now.sealed;
  }

  get standing(): Standing {
    return this.#now.standing;
  }

  /** Whether each episode has its row. */
  get isOver(): boolean {
    return this.standing.done >= this.standing.total;
  }

  /** Drawn on demand, once for the same rows. */
  get report(): Report {
    this.#now.report ??= this.#options.draw(this.#now.sealed);
    return this.#now.report;
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: (standing: Standing) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  #wait(ms: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  /** Keeps the earlier rows if the bundle cannot be read, and reports that. */
  async #look(): Promise<void> {
    const begun = performance.now();
    const before = this.standing;
    try {
      if (sizeOf(this.#options.layout.ledger) !== this.#size) await this.#read();
    } catch (error) {
      this.#now.standing = { ...before, text: printable(`the bundle cannot be read: ${messageOf(error)}`) };
    }
    if (this.standing.text !== before.text || this.standing.done !== before.done) {
      for (const listener of this.#listeners) listener(this.standing);
    }
    if (!this.isOver) this.#wait(Math.max(MIN_WAIT_MS, REST * (performance.now() - begun)));
  }

  async #read(): Promise<void> {
    const { layout, campaign } = this.#options;
    const size = sizeOf(layout.ledger);
    const { records } = await readLedger(layout.ledger);
    const sealed = await rowsSealedIn(records, layout, this.#known);
    this.#known = new Map(sealed.map((each) => [each.sealHash, each]));
    const standing = standingOf(campaign, this.#episodes, { records, counted: countedRowsIn(sealed) });
    const isSame = sealed.length === this.#now.sealed.length;
    const kept = isSame ? this.#now : { bundle: new ViewedBundle(layout, campaign, sealed), sealed, report: null };
    this.#now = { ...kept, standing };
    this.#size = size;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

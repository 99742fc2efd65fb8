import { type BlobStore, openBlobs } from '../bundle/blobs.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { AttemptKey, Row } from '../bundle/row.ts';
import { countedRowsIn, type SealedRow } from '../bundle/sealed-rows.ts';
import { groupBy } from '../claim/group.ts';
import type { CampaignFile } from '../plan/campaign-file.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { isControl } from '../report/roles.ts';
import { instanceName } from '../task/instance.ts';

export interface ViewedAttempt extends SealedRow {
  /** Null if the plan lacks the task. */
  planned: PlannedTask | null;
  attempts: Row[];
  /** The counted episodes before and after it in the plan. */
  before: Row | null;
  after: Row | null;
  /** The first one after it that failed, if any. */
  nextFailed: Row | null;
  /** Other counted episodes of the same task. */
  siblings: Row[];
}

/** The sealed attempts of a bundle, and the blobs that their rows name. Requested names are looked up, and never become paths. */
export class ViewedBundle {
  readonly layout: BundleLayout;
  readonly blobs: BlobStore;
  readonly #campaign: CampaignFile;
  readonly #byName: ReadonlyMap<string, SealedRow>;
  readonly #byEpisode: ReadonlyMap<string, Row[]>;
  readonly #digests: ReadonlySet<string>;
  readonly #counted: readonly Row[];

  constructor(layout: BundleLayout, campaign: CampaignFile, sealed: readonly SealedRow[]) {
    this.layout = layout;
    this.blobs = openBlobs(layout.blobs);
    this.#campaign = campaign;
    this.#byName = new Map(sealed.map((each) => [addressOf(each.row), each]));
    const rows = sealed.map(({ row }) => row);
    this.#byEpisode = groupBy(rows, ({ episode_id: id }) => id);
    this.#digests = new Set(rows.flatMap(({ artifacts }) => Object.values(artifacts)));
    this.#counted = countedRowsIn(sealed);
  }

  attempt(address: string): ViewedAttempt | null {
    const found = this.#byName.get(address);
    if (found === undefined) return null;
    const { row } = found;
    const place = this.#counted.findIndex(({ plan_index: index }) => index === row.plan_index);
    const next = place === -1 ? this.#counted.findIndex(({ plan_index: index }) => index > row.plan_index) : place + 1;
    return {
      ...found,
      planned: this.#campaign.plan.tasks.find((each) => isTaskOf(each, row)) ?? null,
      attempts: this.#byEpisode.get(row.episode_id) ?? [],
      before: this.#counted[(place === -1 ? next : place) - 1] ?? null,
      after: this.#counted[next] ?? null,
      nextFailed: next === -1 ? null : (this.#counted.slice(next).find(hasFailed) ?? null),
      siblings: this.#counted.filter((each) => each.episode_id !== row.episode_id && isSibling(each, row)),
    };
  }

  get counted(): readonly Row[] {
    return this.#counted;
  }

  names(sha256: string): boolean {
    return this.#digests.has(sha256);
  }
}

export function addressOf({ episode_id: id, attempt }: AttemptKey): string {
  return `/episodes/${id}/${attempt}`;
}

export function compareAddress(one: Row, other: Row): string {
  return `/compare${addressOf(one)}${addressOf(other)}`;
}

export function blobAddress(sha256: string): string {
  return `/blobs/${sha256}`;
}

function isSibling(one: Row, other: Row): boolean {
  return one.suite === other.suite && one.task === other.task && one.instance === other.instance;
}

/** Whether an agent that competes failed. */
function hasFailed(row: Row): boolean {
  return !['passed', 'not_applicable', 'unavailable'].includes(row.status) && !isControl(row);
}

function isTaskOf({ suite, task }: PlannedTask, row: Row): boolean {
  return suite === row.suite && task.id === row.task && instanceName(task) === row.instance;
}

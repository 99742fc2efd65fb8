import type { Row } from '../bundle/row.ts';
import { apartByManifest } from './by-manifest.ts';
import { type Entrant, entrantName } from './figures.ts';
import { cellOf, cellText, groupBy, templateOf } from './group.ts';
import { type OutcomeTables, outcomeTables } from './outcome-tables.ts';
import { smallestShown } from './smallest-shown.ts';

export interface PooledBundle {
  name: string;
  campaign_id: string;
  planned: number;
  entrants: readonly Entrant[];
  /** Counted rows in plan order. */
  rows: readonly Row[];
}

/** Tables over bundles that can be compared. */
export interface PooledPart {
  bundles: string[];
  /** The smallest difference of success rates that can be shown; null: none. */
  smallest_detectable: number | null;
  tables: OutcomeTables;
}

export interface Pooled {
  /** Reasons against a comparison of the bundles; each then has its own tables. */
  barred: string[];
  /** Other differences between them. */
  differences: string[];
  parts: PooledPart[];
}

export interface SharedEpisode {
  row: Row;
  first: string;
  second: string;
}

/** Returns the first episode that is in two bundles, as it would count twice. */
export function sharedEpisode(bundles: readonly PooledBundle[]): SharedEpisode | null {
  const seen = new Map<string, string>();
  for (const { name, rows } of bundles) {
    for (const row of rows) {
      const first = seen.get(row.episode_id);
      if (first !== undefined) return { row, first, second: name };
      seen.set(row.episode_id, name);
    }
  }
  return null;
}

/** Tables over all bundles, or over each alone if they ran different things. */
export function pooled(bundles: readonly PooledBundle[]): Pooled {
  const rows = bundles.flatMap((bundle) => bundle.rows);
  const barred = [
    ...changing(rows, cellOf, ({ task_hash: hash }) => hash).map(
      (cell) => `${cellText(cell)} is another task (task_hash)`,
    ),
    ...changing(rows, cellOf, ({ contract_hash: hash }) => hash).map(
      (cell) => `${cellText(cell)} is judged by another contract (contract_hash)`,
    ),
    ...changing(
      rows.filter(({ model_id: model }) => model !== null),
      entrantName,
      (row) => row.model_id,
    ).map((entrant) => `${entrant} is another model (model_id)`),
  ];
  const groups = barred.length === 0 ? [bundles] : bundles.map((bundle) => [bundle]);
  return { barred, differences: differencesBetween(bundles).map(differenceText), parts: groups.map(partOf) };
}

function partOf(bundles: readonly PooledBundle[]): PooledPart {
  const planned = new Map(bundles.flatMap((bundle) => bundle.entrants).map((each) => [entrantName(each), each]));
  const { rows, entrants } = apartByManifest(
    bundles.flatMap((bundle) => bundle.rows),
    [...planned.values()],
  );
  return {
    bundles: bundles.map(({ name }) => name),
    smallest_detectable: smallestShown(rows),
    tables: outcomeTables(rows, entrants),
  };
}

function changing(rows: readonly Row[], keyOf: (row: Row) => string, valueOf: (row: Row) => string | null): string[] {
  return [...groupBy(rows, keyOf)].filter(([, own]) => new Set(own.map(valueOf)).size > 1).map(([key]) => key);
}

/** Differences that do not bar a comparison. */
const COMPARED: readonly [what: string, valueOf: (row: Row) => string | null][] = [
  ['tasks', templateOf],
  // With its entrant, or a swap between two entrants would go unnoticed.
  ['mode', (row) => `${row.mode} of ${row.agent} through ${row.surface}`],
  ['model', (row) => ofWhom(row.model_id, row.agent)],
  ['model that replied', (row) => ofWhom(row.model_id_returned, row.agent)],
  ['surface', (row) => ofWhom(row.surface_version, row.surface)],
  ['app', (row) => ofWhom(row.app_hash, row.suite)],
  ['world', (row) => ofWhom(row.world_kind, row.suite)],
  ['Touchstone', (row) => row.bench_version],
  ['commit', (row) => row.bench_commit],
  ['judge', (row) => row.judge_version],
  ['browser', ({ browser }) => (browser === null ? null : `${browser.name} ${browser.version}`)],
  ['prompt', (row) => row.prompt_hash],
  ['manifest', (row) => row.manifest_checksum],
  ['prices', (row) => row.price_table],
];

function ofWhom(value: string | null, whose: string): string | null {
  return value === null ? null : `${value} of ${whose}`;
}

/** Something that is not the same in two bundles. */
export interface Difference {
  what: string;
  /** Its values, with the names of the bundles. Hashes are cut. */
  values: string;
}

export function differenceText({ what, values }: Difference): string {
  return `${what}: ${values}`;
}

export function differencesBetween(bundles: readonly Pick<PooledBundle, 'name' | 'rows'>[]): Difference[] {
  return COMPARED.flatMap(([what, valueOf]) => {
    const found = bundles.map(({ name, rows }) => {
      const values = new Set(rows.map(valueOf).filter((value) => value !== null));
      return { name, values: [...values].toSorted().join(', ') || 'none' };
    });
    if (new Set(found.map(({ values }) => values)).size < 2) return [];
    const values = found.map((each) => `${each.values} in ${each.name}`).join('; ');
    return [{ what, values: values.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{28,52}\b/g, '$1') }];
  });
}

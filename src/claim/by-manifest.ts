import { type FiguredRow, FiguredRows } from './figured-row.ts';
import { type Entrant, entrantName } from './figures.ts';
import { cellOf, tally } from './group.ts';

type Met = Pick<FiguredRow, 'suite' | 'task' | 'instance' | 'agent' | 'surface' | 'manifest_checksum'>;

export interface RowsApart<R> {
  rows: readonly R[];
  entrants: readonly Entrant[];
}

/**
 * Splits an entrant that met several NAC3 manifests into one per manifest, with the checksum in the name of its surface. A row without a
 * checksum takes that of its cell, or stays under the surface's own name if the cell has several.
 */
export function apartByManifest(rows: readonly FiguredRow[], entrants: readonly Entrant[]): RowsApart<FiguredRow> {
  const figured = new FiguredRows();
  return rowsApart(rows, entrants, (row, surface) => figured.of(row, surface));
}

/** @param under returns the row with another surface */
export function rowsApart<R extends Met>(
  rows: readonly R[],
  entrants: readonly Entrant[],
  under: (row: R, surface: string) => R,
): RowsApart<R> {
  const byEntrant = tally(rows, entrantName, (row) => row.manifest_checksum);
  const several = new Set(
    [...byEntrant].flatMap(([name, manifests]) => (known(manifests.keys()).length > 1 ? [name] : [])),
  );
  if (several.size === 0) return { rows, entrants };
  const byCell = tally(rows, cellOf, (row) => row.manifest_checksum);
  const ofCell = new Map([...byCell].map(([cell, manifests]) => [cell, onlyOne(known(manifests.keys()))]));
  const surfaces = new Map<string, Set<string>>();
  const apart = rows.map((row) => {
    const manifest = row.manifest_checksum ?? ofCell.get(cellOf(row)) ?? null;
    const name = entrantName(row);
    const surface = manifest === null || !several.has(name) ? row.surface : `${row.surface}-manifest-${manifest}`;
    surfaces.set(name, (surfaces.get(name) ?? new Set()).add(surface));
    return surface === row.surface ? row : under(row, surface);
  });
  return {
    rows: apart,
    entrants: entrants.flatMap((entrant) => {
      const own = surfaces.get(entrantName(entrant)) ?? [entrant.surface];
      return [...own].toSorted().map((surface) => ({ ...entrant, surface }));
    }),
  };
}

function known(manifests: Iterable<string | null>): string[] {
  return [...manifests].filter((manifest) => manifest !== null);
}

function onlyOne([manifest, ...others]: readonly string[]): string | null {
  return manifest === undefined || others.length > 0 ? null : manifest;
}

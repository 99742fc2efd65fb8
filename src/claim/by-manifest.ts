import { type FiguredRow, FiguredRows } from './figured-row.ts';
import { type Entrant, entrantName } from './figures.ts';
import { cellOf, distinct, groupBy } from './group.ts';

type Met = Pick<FiguredRow, 'suite' | 'task' | 'instance' | 'agent' | 'surface' | 'manifest_checksum'>;

export interface RowsApart<R> {
  rows: readonly R[];
  entrants: readonly Entrant[];
}

/**
 * Keeps rows apart whose pages had another NAC3 manifest: an entrant that met several becomes as many entrants, whose surface
 * has the checksum in its name. Everyone else stays as they are. A row without a checksum is one of those of its cell, and where
 * that cannot be told it stays under the surface's own name.
 */
export function apartByManifest(rows: readonly FiguredRow[], entrants: readonly Entrant[]): RowsApart<FiguredRow> {
  const figured = new FiguredRows();
  return rowsApart(rows, entrants, (row, surface) => figured.of(row, surface));
}

/** The same of rows that are more than figures. `under`: the row, under another surface. */
export function rowsApart<R extends Met>(
  rows: readonly R[],
  entrants: readonly Entrant[],
  under: (row: R, surface: string) => R,
): RowsApart<R> {
  const several = new Set(
    [...groupBy(rows, entrantName)].filter(([, own]) => manifestsIn(own).length > 1).map(([name]) => name),
  );
  if (several.size === 0) return { rows, entrants };
  const ofCell = new Map([...groupBy(rows, cellOf)].map(([cell, own]) => [cell, onlyOne(manifestsIn(own))]));
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

function manifestsIn(rows: readonly Met[]): string[] {
  return [...distinct(rows, (row) => row.manifest_checksum)].filter((manifest) => manifest !== null);
}

function onlyOne([manifest, ...others]: readonly string[]): string | null {
  return manifest === undefined || others.length > 0 ? null : manifest;
}

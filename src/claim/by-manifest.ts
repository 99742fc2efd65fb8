import { type FiguredRow, FiguredRows } from './figured-row.ts';
import { type Entrant, entrantName } from './figures.ts';
import { cellOf, distinct, groupBy } from './group.ts';

export interface RowsApart {
  rows: readonly FiguredRow[];
  entrants: readonly Entrant[];
}

/**
 * Keeps rows apart whose pages had another NAC3 manifest: an entrant that met several becomes as many entrants, whose surface
 * has the checksum in its name. Everyone else stays as they are. A row without a checksum is one of those of its cell, and where
 * that cannot be told it stays under the surface's own name.
 */
export function apartByManifest(rows: readonly FiguredRow[], entrants: readonly Entrant[]): RowsApart {
  const several = new Set(
    [...groupBy(rows, entrantName)].filter(([, own]) => manifestsIn(own).length > 1).map(([name]) => name),
  );
  if (several.size === 0) return { rows, entrants };
  const ofCell = new Map([...groupBy(rows, cellOf)].map(([cell, own]) => [cell, onlyOne(manifestsIn(own))]));
  const figured = new FiguredRows();
  const surfaces = new Map<string, Set<string>>();
  const apart = rows.map((row) => {
    const manifest = row.manifest_checksum ?? ofCell.get(cellOf(row)) ?? null;
    const name = entrantName(row);
    const surface = manifest === null || !several.has(name) ? row.surface : `${row.surface}-manifest-${manifest}`;
    surfaces.set(name, (surfaces.get(name) ?? new Set()).add(surface));
    return surface === row.surface ? row : figured.of(row, surface);
  });
  return {
    rows: apart,
    entrants: entrants.flatMap((entrant) => {
      const own = surfaces.get(entrantName(entrant)) ?? [entrant.surface];
      return [...own].toSorted().map((surface) => ({ ...entrant, surface }));
    }),
  };
}

function manifestsIn(rows: readonly FiguredRow[]): string[] {
  return [...distinct(rows, (row) => row.manifest_checksum)].filter((manifest) => manifest !== null);
}

function onlyOne([manifest, ...others]: readonly string[]): string | null {
  return manifest === undefined || others.length > 0 ? null : manifest;
}

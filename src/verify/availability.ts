import type { Row } from '../bundle/row.ts';

/** Knows whether surfaces were there. That follows from what is pinned, and so is the same for all rows of a campaign. */
export class Availability {
  /** Whether the first row through a surface was of one that was there. */
  readonly #there = new Map<string, boolean>();

  /** Says what is off of a row that is unlike an earlier one; what cannot be run through any surface tells nothing of this one. */
  problemsOf({ status, surface }: Pick<Row, 'status' | 'surface'>): string[] {
    if (status === 'not_applicable') return [];
    const isThere = status !== 'unavailable';
    const wasThere = this.#there.get(surface) ?? isThere;
    this.#there.set(surface, wasThere);
    if (isThere === wasThere) return [];
    return [
      isThere
        ? 'it ran, and another says that its surface is unavailable'
        : 'it is unavailable, and another ran through its surface',
    ];
  }
}

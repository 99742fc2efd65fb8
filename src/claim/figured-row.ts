import type { Row } from '../bundle/row.ts';
import { fieldsWith, pick } from '../bundle/row-fields.ts';

const SHARED = fieldsWith('cell');
const OWN = fieldsWith('figure');

type Shared = Pick<Row, (typeof SHARED)[number]>;

/** The part of a row that figures and eligibility follow from: no more is kept where there may be a million rows. Every row is one. */
export type FiguredRow = Shared & Pick<Row, (typeof OWN)[number]>;

/** Makes figured rows, which inherit what they have in common: of a large campaign nearly everything. */
export class FiguredRows {
  readonly #shared = new Map<string, Shared>();

  /** @param surface under which the row is figured, where that is another than its own. */
  of(row: FiguredRow, surface: string = row.surface): FiguredRow {
    const shared = { ...pick(row, SHARED), surface };
    const key = JSON.stringify(shared);
    const first = this.#shared.get(key) ?? shared;
    this.#shared.set(key, first);
    return inheriting(first, pick(row, OWN));
  }
}

function inheriting<S extends object, O extends object>(shared: S, own: O): S & O;
function inheriting(shared: object, own: object): unknown {
  return Object.setPrototypeOf(own, shared);
}

import type { Row } from '../bundle/row.ts';
import { fieldsWith, pick } from '../bundle/row-fields.ts';

const SHARED = fieldsWith('cell');
const OWN = fieldsWith('figure');

type Shared = Pick<Row, (typeof SHARED)[number]>;

/** The part of a row that figures and eligibility need, so that a million rows fit into memory. Every row is one. */
export type FiguredRow = Shared & Pick<Row, (typeof OWN)[number]>;

/** Makes figured rows, which inherit the fields that they share. */
export class FiguredRows {
  readonly #shared = new Map<string, Shared>();

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

import type { Row } from '../bundle/row.ts';

/** Shared by rows of one cell that ended alike. */
const COMMON = [
  ...(['suite', 'task', 'instance', 'agent', 'surface', 'mode', 'world_kind', 'decider', 'endpoint_kind'] as const),
  ...(['browser', 'process_isolation', 'caps', 'temperature', 'status', 'stop', 'goal_verdict'] as const),
  ...(['guard_verdict', 'declared_done', 'hallucination', 'faults', 'task_hash', 'contract_hash'] as const),
  ...(['app_hash', 'prompt_hash', 'qualification_hash', 'manifest_checksum', 'runtime_version'] as const),
  ...(['runtime_hash', 'surface_version', 'tool_list_hash', 'model_id', 'model_id_returned'] as const),
  ...(['null_reasons', 'auth', 'failure_category', 'off_archive'] as const),
] satisfies readonly (keyof Row)[];

/** Measured in each row. */
const MEASURED = [
  ...(['iteration', 'retries', 'script_calls', 'steps', 'tool_errors', 'shortcut_calls', 'turns'] as const),
  ...(['tokens_in', 'tokens_out', 'tokens_cached', 'model_ms', 'wall_ms', 'cost_usd', 'concurrency'] as const),
] satisfies readonly (keyof Row)[];

type Common = Pick<Row, (typeof COMMON)[number]>;
type Measured = Pick<Row, (typeof MEASURED)[number]>;

/** The part of a row that figures and eligibility follow from: no more is kept where there may be a million rows. Every row is one. */
export type FiguredRow = Common & Measured;

/** Makes figured rows, which inherit what they have in common: of a large campaign nearly everything. */
export class FiguredRows {
  readonly #common = new Map<string, Common>();

  /** @param surface under which the row is figured, where that is another than its own. */
  of(row: FiguredRow, surface: string = row.surface): FiguredRow {
    const common = { ...pick(row, COMMON), surface };
    const key = JSON.stringify(common);
    const first = this.#common.get(key) ?? common;
    this.#common.set(key, first);
    return inheriting(first, pick(row, MEASURED));
  }
}

/** The part of an object that has these fields, in their order. */
export function pick<R, K extends keyof R>(row: R, fields: readonly K[]): Pick<R, K>;
export function pick(row: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, row[field]]));
}

function inheriting<C extends object, M extends object>(common: C, own: M): C & M;
function inheriting(common: object, own: object): unknown {
  return Object.setPrototypeOf(own, common);
}

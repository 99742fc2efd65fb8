import type { Row } from '../bundle/row.ts';
import { rowsApart } from './by-manifest.ts';
import { type Entrant, isOf } from './figures.ts';
import { ratio, sum } from './spending.ts';
import { median, quantile } from '../stats/resampling.ts';

/** A row, and the time that each of its tool calls took, in ms. */
export interface TimedRow {
  row: Row;
  callMs: readonly number[];
}

/**
 * An entrant on the diagnostic axes A (tokens) and C (speed) of seed 002. Null if nothing was measured, or no episode passed.
 */
export interface EntrantAxes {
  agent: string;
  surface: string;
  surface_version: string | null;
  episodes: number;
  passed: number;
  /** Why no episode ran; null if one did. */
  why_not: string | null;
  median_calls: number | null;
  tool_errors: number;
  /** Tokens of the tool list, which a model reads at least once. */
  tool_list_tokens: number | null;
  /** Tokens of replies per episode that passed: those of such episodes, and those of all. */
  response_tokens_per_completed: number | null;
  response_tokens_expected: number | null;
  median_surface_open_ms: number | null;
  call_p50_ms: number | null;
  call_p95_ms: number | null;
  median_wall_ms: number | null;
  /** Time of all episodes per episode that passed. */
  wall_ms_expected: number | null;
}

export function entrantAxes(rows: readonly TimedRow[], entrants: readonly Entrant[]): EntrantAxes[] {
  const flat = rows.map(({ row, callMs }) => ({ ...row, callMs }));
  const apart = rowsApart(flat, entrants, (row, surface) => ({ ...row, surface }));
  const timed = apart.rows.map(({ callMs, ...row }) => ({ row, callMs }));
  return apart.entrants.flatMap(({ agent, surface }) => {
    const own = timed.filter(({ row }) => isOf({ agent, surface }, row));
    return own.length === 0 ? [] : [axesOf({ agent, surface }, own)];
  });
}

function axesOf({ agent, surface }: Entrant, timed: readonly TimedRow[]): EntrantAxes {
  const ran = timed.filter(({ row }) => row.status !== 'not_applicable' && row.status !== 'unavailable');
  const rows = ran.map(({ row }) => row);
  const passed = rows.filter(({ status }) => status === 'passed');
  const perPass = (of: typeof rows, valueOf: (row: (typeof rows)[number]) => number | null) =>
    ratio(sum(of, valueOf), passed.length);
  const calls = ran.flatMap(({ callMs }) => callMs);
  const [idle] = timed.map(({ row }) => row.null_reasons['steps'] ?? null);
  return {
    agent,
    surface,
    surface_version: rows.map((row) => row.surface_version).find((version) => version !== null) ?? null,
    episodes: rows.length,
    passed: passed.length,
    why_not: rows.length > 0 ? null : (idle ?? null),
    median_calls: median(rows.map(({ steps }) => steps)),
    tool_errors: rows.reduce((total, { tool_errors: errors }) => total + (errors ?? 0), 0),
    tool_list_tokens: median(rows.map((row) => row.tool_list_tokens)),
    response_tokens_per_completed: perPass(passed, (row) => row.response_tokens),
    response_tokens_expected: perPass(rows, (row) => row.response_tokens),
    median_surface_open_ms: median(rows.map((row) => row.surface_open_ms)),
    call_p50_ms: median(calls),
    call_p95_ms: quantile(calls, 0.95),
    median_wall_ms: median(rows.map((row) => row.wall_ms)),
    wall_ms_expected: perPass(rows, (row) => row.wall_ms),
  };
}

import type { Status, Stop } from '../contract/status.ts';
import type { FaultState } from '../fault/schema.ts';
import type { Trajectory } from './trajectory.ts';
import type { Nac3Served } from '../world/nac3-files.ts';
import type { EpisodeEvent } from './events.ts';
import type { JudgedCapture } from './judge.ts';

/** What an episode came to. Null: the episode did not get that far. */
export interface EpisodeResult {
  status: Status;
  stop: Stop;
  /** Why it stopped, in words; null when there is nothing to add. */
  detail: string | null;
  start: JudgedCapture | null;
  trajectory: Trajectory | null;
  end: JudgedCapture | null;
  finalUrl: string | null;
  toolListHash: string | null;
  /** Tokens of the longest list of tools that it offered; null where they are not counted. */
  toolListTokens: number | null;
  /** As the surface called itself in this episode; null where it has no word of its own. */
  surfaceVersion: string | null;
  /** As the NAC3 runtime of the page called itself; null where there was none, or the surface does not ask. */
  runtimeVersion: string | null;
  /** What pages were served of NAC3. */
  nac3: Nac3Served;
  /** How long the surface took to open, in ms. */
  surfaceOpenMs: number | null;
  /** Requests for addresses outside the world, by `host:port`. */
  outside: Record<string, number>;
  /** Requests that the archive had no answer to; null where there is no archive. */
  offArchive: number | null;
  /** How often each command was sent that the gateway forbids, by method; empty where there is no gateway. */
  violations: Record<string, number>;
  /** How many tool calls brought a script of the agent's own into a page; null where that was not measured. */
  scriptCalls: number | null;
  /** How many commands came from outside; null where there is no gateway. */
  commands: number | null;
  /** What became of the faults that were planned; empty where none was, and where the agent never began. */
  faults: readonly FaultState[];
  /** False when the browser is not fit for another episode. */
  browserFit: boolean;
}

/** An episode in which nothing has happened yet. */
export const NOT_BEGUN = {
  start: null,
  trajectory: null,
  end: null,
  finalUrl: null,
  toolListHash: null,
  toolListTokens: null,
  surfaceVersion: null,
  runtimeVersion: null,
  nac3: { manifestChecksum: null, runtimeHash: null },
  surfaceOpenMs: null,
  outside: {},
  offArchive: null,
  violations: {},
  scriptCalls: null,
  commands: null,
  faults: [],
  browserFit: true,
} as const satisfies Partial<EpisodeResult>;

/** The last judgement that an episode came to: that of its end, else that of its start. */
export function lastJudgement({ start, end }: Pick<EpisodeResult, 'start' | 'end'>): JudgedCapture | null {
  return end ?? start;
}

/** How often the entrant asked for what lies outside the world, and sent each command that a gateway forbids. */
function violationsOf({ outside, violations }: Pick<EpisodeResult, 'outside' | 'violations'>): Record<string, number> {
  const requests = Object.values(outside).reduce((total, each) => total + each, 0);
  return { ...(requests === 0 ? {} : { outside_world: requests }), ...violations };
}

/** What a result says of what lay around the entrant, as its events tell it. */
export function surroundingsOf(
  result: Pick<EpisodeResult, keyof typeof NOT_BEGUN>,
): Extract<EpisodeEvent, { type: 'surroundings' }> {
  return {
    type: 'surroundings',
    surface_version: result.surfaceVersion,
    runtime_version: result.runtimeVersion,
    manifest_checksum: result.nac3.manifestChecksum,
    runtime_hash: result.nac3.runtimeHash,
    off_archive: result.trajectory === null ? null : result.offArchive,
    cdp_commands: result.trajectory === null ? null : result.commands,
    script_calls: result.scriptCalls,
    violations: violationsOf(result),
  };
}

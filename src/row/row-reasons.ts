import type { EpisodeResult } from '../episode/result.ts';
import { targetsOf } from './row-targets.ts';

const NOT_COUNTED = 'the tools of this surface may take script, and no gateway stands between to count it';
const UNCHECKED = 'nobody has checked which calls of this surface are a short way';
const NO_ARCHIVE = 'the world is not an archive';
const NOT_SERVED = 'not served from /nac3/ of the world, or not the same each time';

/** Why an attempt that ran leaves a field empty. */
export function reasonsOf(result: EpisodeResult): Record<string, string> {
  const { trajectory, scriptCalls, offArchive } = result;
  if (trajectory === null) return {};
  const noArchive = offArchive === null ? { off_archive: NO_ARCHIVE } : {};
  const drivesItself = trajectory.reported === null ? [] : UNSEEN.map((field) => [field, DRIVES_ITSELF]);
  const unchecked = trajectory.reported === null ? { shortcut_calls: UNCHECKED } : {};
  const notCounted = scriptCalls === null ? { script_calls: NOT_COUNTED } : {};
  return {
    ...unchecked,
    ...notCounted,
    ...noArchive,
    ...targetsOf(result).reasons,
    ...Object.fromEntries(drivesItself),
  };
}

/** Why a page that had a NAC3 runtime leaves no hash of it, or of its manifest. */
export function nac3Reasons({ runtimeVersion, nac3 }: EpisodeResult): Record<string, string> {
  const { manifestChecksum, runtimeHash } = nac3;
  if (runtimeVersion === null) return {};
  return {
    ...(runtimeHash === null ? { runtime_hash: NOT_SERVED } : {}),
    ...(manifestChecksum === null ? { manifest_checksum: NOT_SERVED } : {}),
  };
}

const UNSEEN = [
  'steps',
  'tool_errors',
  'shortcut_calls',
  'no_progress_episodes',
  'response_bytes',
  'response_tokens',
  'tool_ms',
  'turns',
  'model_retries',
  'model_ms',
  'tokens_in',
  'tokens_out',
  'tokens_cached',
  'cost_usd',
  'price_table',
  'script_calls',
  'target_classes',
  'hallucination',
];
const DRIVES_ITSELF = 'the agent drives the browser itself; what it says of its steps is in self_reported';

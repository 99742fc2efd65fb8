import { MEASURED_FIELDS, type Unhashed } from '../bundle/row.ts';
import { fieldsWith } from '../bundle/row-fields.ts';
import { targetFigures } from '../episode/target-ledger.ts';
import { pinned } from '../plan/pins.ts';
import type { Attempt } from './attempt.ts';
import type { Recorded } from './recorded.ts';
import { drivesItself } from './row-effort.ts';

const NO_MODEL = 'no model decided';
const NO_PRICE = 'no table of prices has this model';
const NOT_REACHED = 'the episode ended before the agent acted';
const NOT_COUNTED = 'the tools of this surface may take script, and no gateway stands between to count it';
const UNCHECKED = 'nobody has checked which calls of this surface are a short way';
const NO_ARCHIVE = 'the world is not an archive';
const NOT_SERVED = 'not served from /nac3/ of the world, or not the same each time';
const NO_GATEWAY = 'the surface works without the gateway';
const CASSETTE = 'recorded replies were read from a file';
const DRIVES_ITSELF = 'the agent drives the browser itself; what it says of its steps is in self_reported';

const SPENT: readonly string[] = fieldsWith('spent');
const UNSEEN: readonly string[] = fieldsWith('unseen');

/** Why each measured field of a row is null, if it is; and parts of a NAC3 runtime that were not served. */
export function reasonsFor(row: Unhashed, attempt: Attempt, recorded: Recorded): Record<string, string> {
  const { impossible } = recorded.last;
  const reason =
    impossible === undefined
      ? (field: string) => reasonOf(field, row, attempt, recorded)
      : () => `${impossible.status.replace('_', ' ')}: ${impossible.why}`;
  const optional = row.runtime_version === null ? [] : ['runtime_hash', 'manifest_checksum'];
  const values = new Map<string, unknown>(Object.entries(row));
  const missing = [...MEASURED_FIELDS, ...optional].filter((field) => values.get(field) === null);
  return Object.fromEntries(missing.map((field) => [field, reason(field)]));
}

function reasonOf(field: string, row: Unhashed, { campaign, episode }: Attempt, recorded: Recorded): string {
  const hasActed = recorded.last.acted !== undefined;
  if (hasActed && UNSEEN.includes(field) && drivesItself(pinned(campaign.pins.surfaces, episode.surface, 'traits')))
    return DRIVES_ITSELF;
  if (SPENT.includes(field)) return reasonOfSpent(field, row);
  if (field === 'runtime_hash' || field === 'manifest_checksum') return NOT_SERVED;
  if (field === 'cdp_commands') return NO_GATEWAY;
  if (!hasActed) return NOT_REACHED;
  if (field === 'target_classes' || field === 'hallucination')
    return targetFigures(recorded.targets, row.status === 'passed').why ?? NOT_REACHED;
  return OF_WHO_ACTED[field] ?? NOT_REACHED;
}

const OF_WHO_ACTED: Readonly<Record<string, string>> = {
  off_archive: NO_ARCHIVE,
  shortcut_calls: UNCHECKED,
  script_calls: NOT_COUNTED,
};

function reasonOfSpent(field: string, { decider, endpoint_kind: endpoint, turns }: Unhashed): string {
  if (field === 'model_ms' && endpoint === 'cassette') return CASSETTE;
  if (turns !== null && (field === 'cost_usd' || field === 'price_table')) return NO_PRICE;
  return decider === 'model' ? NOT_REACHED : NO_MODEL;
}

import type { Status } from '../contract/status.ts';
import type { Decider, EndpointKind, Mode, WorldKind } from './row-words.ts';

/** The facts that a row's mode follows from. */
export interface ModeFacts {
  /** The plan was only printed; nothing ran. */
  dry_run: boolean;
  status: Status;
  world_kind: WorldKind;
  decider: Decider;
  endpoint_kind: EndpointKind;
}

/** The mode is derived, never declared: the first line that applies gives it. */
const TABLE: readonly (readonly [Mode, (facts: ModeFacts) => boolean])[] = [
  ['dry-run', (facts) => facts.dry_run],
  ['skip', (facts) => facts.status === 'not_applicable' || facts.status === 'unavailable'],
  ['control', (facts) => facts.decider === 'control' || facts.decider === 'baseline'],
  ['replay', (facts) => facts.decider === 'transcript' || facts.endpoint_kind === 'cassette'],
  ['scripted', (facts) => facts.decider === 'reference'],
  ['mock', (facts) => facts.endpoint_kind === 'mock'],
  ['facsimile', (facts) => facts.world_kind === 'facsimile'],
  ['recorded-real', (facts) => facts.world_kind === 'recorded_web'],
];

export function deriveMode(facts: ModeFacts): Mode {
  return TABLE.find(([, applies]) => applies(facts))?.[0] ?? 'live';
}

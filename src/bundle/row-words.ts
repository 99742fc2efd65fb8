import { z } from 'zod';
import type { Status } from '../contract/status.ts';

/** The origin of a row, derived by {@link deriveMode}. */
export const Mode = z.enum([
  'dry-run',
  'skip',
  'control',
  'replay',
  'scripted',
  'mock',
  'facsimile',
  'recorded-real',
  'live',
]);
export type Mode = z.infer<typeof Mode>;

export const WorldKind = z.enum(['live_web', 'recorded_web', 'facsimile', 'real_app', 'fixture_app']);
export type WorldKind = z.infer<typeof WorldKind>;

/** Who decided the calls. */
export const Decider = z.enum(['model', 'process', 'baseline', 'transcript', 'reference', 'control']);
export type Decider = z.infer<typeof Decider>;

/** `full`: what users run; `shell`: the headless shell. */
export const BrowserKind = z.enum(['full', 'shell']);
export type BrowserKind = z.infer<typeof BrowserKind>;

/** A fresh context of a warm browser, or a fresh browser with a fresh profile. */
export const Isolation = z.enum(['context', 'browser', 'none']);
export type Isolation = z.infer<typeof Isolation>;

/**
 * The sandbox around the process of a self-driving agent or a tool server. With `none`, the row is a diagnosis, not a
 * measurement.
 */
export const ProcessIsolation = z.enum(['bubblewrap', 'user', 'none']);

/** The network of such a process: the browser through our gateway only, or all that this machine reaches. */
export const ProcessNetwork = z.enum(['gateway', 'shared']);

/**
 * The source of the model's replies: its own provider, another endpoint, a fake provider, recorded replies; `none` if no model
 * was asked.
 */
export const EndpointKind = z.enum(['provider', 'custom', 'mock', 'cassette', 'none']);
export type EndpointKind = z.infer<typeof EndpointKind>;

/** Why an attempt did not pass; `none` after a pass. */
export const FailureCategory = z.enum([
  'max_turns',
  'gave_up',
  'wrong_end_state',
  'guard_broken',
  'over_claim',
  'budget',
  'timeout',
  'tool_error',
  'agent_error',
  'provider',
  'infra',
  'none',
]);
export type FailureCategory = z.infer<typeof FailureCategory>;

/** The worst result of a phantom target. `reached_succeeded`: something was sent to it, and the episode still passed. */
export const Hallucination = z.enum(['none', 'filtered', 'reached_failed', 'reached_succeeded']);
export type Hallucination = z.infer<typeof Hallucination>;

export interface ModeFacts {
  /** The plan was only printed. */
  dry_run: boolean;
  status: Status;
  world_kind: WorldKind;
  decider: Decider;
  endpoint_kind: EndpointKind;
}

/** The first line that applies gives the mode. */
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

/** The load during an attempt; absent if attempts ran one after the other. */
export const Concurrency = z.strictObject({
  /** Most attempts at once, this one included. */
  workers: z.int().min(2),
  /** Processes that ran or waited to, on average over the minute before. Null if another machine ran it. */
  load_average: z.number().min(0).nullable(),
  /** Null with the load. */
  cores: z.int().min(1).nullable(),
});
export type Concurrency = z.infer<typeof Concurrency>;

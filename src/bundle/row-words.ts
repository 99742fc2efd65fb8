import { z } from 'zod';

/** How the row came about; derived from the facts, see `mode.ts`. */
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

/** What the browser could reach. */
export const WorldKind = z.enum(['live_web', 'recorded_web', 'facsimile', 'real_app', 'fixture_app']);
export type WorldKind = z.infer<typeof WorldKind>;

/** Who decided the calls. */
export const Decider = z.enum(['model', 'process', 'baseline', 'transcript', 'reference', 'control']);
export type Decider = z.infer<typeof Decider>;

/** Where the model's replies came from: its own provider, another endpoint, a fake provider, recorded replies; `none` when no model was asked. */
export const EndpointKind = z.enum(['provider', 'custom', 'mock', 'cassette', 'none']);
export type EndpointKind = z.infer<typeof EndpointKind>;

export const FailureCategory = z.enum([
  'planning',
  'navigation',
  'grounding',
  'extraction',
  'form_entry',
  'auth_state',
  'timeout',
  'infrastructure',
  'none',
]);
export type FailureCategory = z.infer<typeof FailureCategory>;

/** The worst that a phantom target led to. `reached_succeeded` is silent damage: the page took the action. */
export const Hallucination = z.enum(['none', 'filtered', 'reached_failed', 'reached_succeeded']);
export type Hallucination = z.infer<typeof Hallucination>;

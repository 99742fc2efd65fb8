import type { Intent, SurfaceIntent } from './intent.ts';

/** A step that is about one element. */
export type ElementStep = Extract<SurfaceIntent, { do: 'click' | 'fill' | 'choose' }>;

export function isElementStep(step: Intent): step is ElementStep {
  return step.do === 'click' || step.do === 'fill' || step.do === 'choose';
}

import type { Injectable } from '../fault/fault-kind.ts';
import type { SurfaceTraits } from '../surface/traits.ts';
import { hasAppTools } from './app-tools.ts';

/** Tells from the traits of its surface which faults could be injected into an entrant. One that drives the browser itself has a surface without tools. */
export function injectableOf(traits: Pick<SurfaceTraits, 'in_process' | 'tools_of'>): Injectable {
  const drivesItself = traits.tools_of === 'nobody';
  return {
    drivesItself,
    showsPages: !hasAppTools(traits),
    hasServer: !traits.in_process && !drivesItself,
  };
}

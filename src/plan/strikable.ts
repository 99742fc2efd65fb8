import type { Injectable } from '../fault/fault-kind.ts';
import type { SurfaceTraits } from '../surface/traits.ts';
import { hasAppTools } from './app-tools.ts';

/** Returns what there is of an entrant that a fault could be injected into. Its surface says it all: who drives the browser itself has a surface without tools. */
export function strikableOf(traits: Pick<SurfaceTraits, 'in_process' | 'tools_of'>): Injectable {
  const drivesItself = traits.tools_of === 'nobody';
  return {
    drivesItself,
    showsPages: !hasAppTools(traits),
    hasServer: !traits.in_process && !drivesItself,
  };
}

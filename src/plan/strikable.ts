import type { Strikable } from '../fault/applies.ts';
import { OWN } from '../surface/own.ts';
import type { Surface } from '../surface/surface.ts';
import type { AgentChoice } from './agents.ts';

/** What there is of an entrant that a fault could strike. */
export function strikableOf({ drivesItself }: Pick<AgentChoice, 'drivesItself'>, surface: Surface): Strikable {
  const hasServer = surface.needs === 'endpoint' && surface.id !== OWN;
  return {
    drivesItself,
    showsPages: surface.needs === 'endpoint' || surface.toolsOf === undefined,
    hasServer,
  };
}

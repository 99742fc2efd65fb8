import type { Injectable } from '../fault/fault-kind.ts';
import { OWN } from '../surface/own.ts';
import type { Surface } from '../surface/surface.ts';
import type { AgentChoice } from './agents.ts';

/** Say what there is of an entrant that a fault could be injected into. */
export function strikableOf({ drivesItself }: Pick<AgentChoice, 'drivesItself'>, surface: Surface): Injectable {
  const hasServer = surface.needs === 'endpoint' && surface.id !== OWN;
  return {
    drivesItself,
    showsPages: surface.needs === 'endpoint' || surface.toolsOf === undefined,
    hasServer,
  };
}

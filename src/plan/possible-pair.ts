import type { AgentChoice } from '../agent/agent-choice.ts';
import { ARIA, OWN } from '../surface/surface-ids.ts';
import type { Surface } from '../surface/surface.ts';
import type { SurfaceTraits } from '../surface/traits.ts';

/** Returns why an agent cannot act through a surface, whatever the task; null when it can. */
export function impossiblePair(
  { id, decider, drivesItself = false, followsSteps = false, readsTrees = false }: AgentChoice,
  surface: string,
  { interaction, tools_of: owner, binds_steps: binds }: Pick<SurfaceTraits, 'interaction' | 'tools_of' | 'binds_steps'>,
): string | null {
  if (interaction === 'one-shot' && decider !== 'model') {
    return `${id} decides call by call, and the plan of a one-shot surface is made by a model`;
  }
  if (readsTrees && surface !== ARIA)
    return `${id} reads the accessibility trees that ${ARIA} shows, and no other surface`;
  if (followsSteps && !binds) return `${id} follows steps, and the file of the surface has no binding for them`;
  if (drivesItself === (owner === 'nobody')) return null;
  return drivesItself
    ? `${id} drives the browser itself, so its surface is ${OWN}`
    : `${id} acts by the tools of a surface, and ${OWN} has none`;
}

/** The surface that an agent is tried through on a task that is proved through another. */
export function surfaceOfTrial({ readsTrees = false }: AgentChoice, provedThrough: string): string {
  return readsTrees ? ARIA : provedThrough;
}

/** Why an agent sees nothing through a surface that shows pictures; null when it can see them, or has more than them. */
export function blindPair({ id, takesPictures = true }: AgentChoice, surface: Surface): string | null {
  const showsPictures = surface.needs === 'context' && surface.showsPictures === true;
  if (takesPictures || !showsPictures) return null;
  return `${id} takes no pictures by the API of its provider, and ${surface.id} shows nothing else`;
}

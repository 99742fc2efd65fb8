import { z } from 'zod';
import type { Surface } from './surface.ts';

/**
 * The facts of a surface that rows and checks follow from. They are pinned before the first episode, so that a bundle is read by what it
 * says of its own surfaces, known here or not.
 */
export const SurfaceTraits = z.strictObject({
  version: z.string(),
  interaction: z.enum(['multi-turn', 'one-shot']),
  /** Whether it works in our own process; else a program attaches to a browser of its own. */
  in_process: z.boolean(),
  tools_of: z.enum(['page_user', 'app_server', 'app_pages', 'nobody']),
  /** False only where no tool takes script or markup. */
  takes_script: z.boolean(),
  /** False only where no step of a solution can be done through it. Bundles of earlier versions knew of none. */
  binds_steps: z.boolean().default(true),
  /** Tools one call of which may do what takes a user of the page several; null where nobody has checked. */
  shortcuts: z.union([z.literal('all'), z.array(z.string())]).nullable(),
});
export type SurfaceTraits = z.infer<typeof SurfaceTraits>;

export function traitsOf(surface: Surface): SurfaceTraits {
  const { version, interaction, needs, toolsOf = 'page_user', bindsSteps = true, differences } = surface;
  const shortcut = differences?.shortcut?.tools ?? [];
  return {
    version,
    interaction,
    in_process: needs === 'context',
    tools_of: toolsOf,
    takes_script: needs === 'endpoint' || surface.takesScript !== false,
    binds_steps: bindsSteps,
    shortcuts: differences === undefined ? null : shortcut === 'all' ? 'all' : [...shortcut],
  };
}

import { z } from 'zod';
import type { Surface } from './surface.ts';

/** The actions of a user of pages. */
export const ABILITIES = ['go', 'click', 'fill', 'choose', 'press', 'tabs', 'dialog', 'wait', 'read'] as const;
export type Ability = (typeof ABILITIES)[number];

/**
 * Where a surface differs from the others: in what it can do, in what it shows, in a shorter way to an end.
 * `test/surface/conformance.browser.test.ts` compares it with what the surface does.
 */
export interface Differences {
  lacks: Partial<Record<Ability, string>>;
  /** Things that it shows and others do not, and the other way round. */
  sight: readonly string[];
  /** Work of one call that takes a user of the page several, and the tools that do it; null if there is none. */
  shortcut: { what: string; tools: 'all' | readonly string[] } | null;
}

export const NO_DIFFERENCES: Differences = { lacks: {}, sight: [], shortcut: null };

/** Returns how a surface of the app's own tools differs: it does nothing that a user of pages does, for the given reason. */
export function appToolsDiffer(why: string): Differences {
  return {
    lacks: Object.fromEntries(ABILITIES.map((ability) => [ability, why])),
    sight: [],
    shortcut: {
      what: 'one call may do what takes a user many: what its tools do is the app’s own choice',
      tools: 'all',
    },
  };
}

/**
 * The facts of a surface that rows and checks follow from. They are pinned before the first episode, so that a bundle can be read
 * where its surfaces are not known.
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
  /** Tools one call of which may do what takes a user of the page several; null if this was not checked. */
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

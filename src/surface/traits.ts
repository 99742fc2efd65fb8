import { z } from 'zod';
import type { Surface } from './surface.ts';

/** The owner of the tools of a surface without any, whose agent drives the browser itself. Bundles store it. */
export const NO_TOOLS = 'nobody';

export const ABILITIES = [
  'go',
  'click',
  'double_click',
  'right_click',
  'hover',
  'drag',
  'fill',
  'choose',
  'upload',
  'press',
  'tabs',
  'dialog',
  'wait',
  'read',
] as const;
export type Ability = (typeof ABILITIES)[number];

/** A surface's differences from the others, which the conformance suite compares with what it does. */
export interface Differences {
  lacks: Partial<Record<Ability, string>>;
  /** Things that it shows and others do not, or the reverse. */
  sight: readonly string[];
  /** Work of one call that takes a user several actions, and the tools for it. */
  shortcut: { what: string; tools: 'all' | readonly string[] } | null;
}

export const NO_DIFFERENCES: Differences = { lacks: {}, sight: [], shortcut: null };

/** The differences of a surface of the app's own tools, which does nothing that a user of pages does, for the given reason. */
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

/** The facts about a surface on which rows and checks depend. They are pinned, so that a bundle can be read without its surfaces. */
export const SurfaceTraits = z.strictObject({
  version: z.string(),
  interaction: z.enum(['multi-turn', 'one-shot']),
  /** Else a program attaches to a browser of its own. */
  in_process: z.boolean(),
  tools_of: z.enum(['page_user', 'app_server', 'app_pages', NO_TOOLS]),
  takes_script: z.boolean(),
  /** Missing in bundles of earlier versions. */
  binds_steps: z.boolean().default(true),
  /** Steps for which it has no call. Missing in bundles of earlier versions. */
  lacks_steps: z.array(z.string()).default([]),
  /** Tools one call of which may do several actions of a user; null if not checked. */
  shortcuts: z.union([z.literal('all'), z.array(z.string())]).nullable(),
});
export type SurfaceTraits = z.infer<typeof SurfaceTraits>;

export function traitsOf(surface: Surface): SurfaceTraits {
  const {
    version,
    interaction,
    needs,
    toolsOf = 'page_user',
    bindsSteps = true,
    lacksSteps = [],
    differences,
  } = surface;
  const shortcut = differences?.shortcut?.tools ?? [];
  return {
    version,
    interaction,
    in_process: needs === 'context',
    tools_of: toolsOf,
    takes_script: needs === 'endpoint' || surface.takesScript !== false,
    binds_steps: bindsSteps,
    lacks_steps: [...lacksSteps],
    shortcuts: differences === undefined ? null : shortcut === 'all' ? 'all' : [...shortcut],
  };
}

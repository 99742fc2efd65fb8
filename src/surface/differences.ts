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
  /** Work of one call that takes a user of the page several, and the tools that do it; null where there is none. */
  shortcut: { what: string; tools: 'all' | readonly string[] } | null;
}

export const NO_DIFFERENCES: Differences = { lacks: {}, sight: [], shortcut: null };

/** Returns how a surface of the app's own tools differs: it does nothing that a user of pages does, and `why` says the reason. */
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

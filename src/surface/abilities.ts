/** What a user of pages can do. */
export const ABILITIES = ['go', 'click', 'fill', 'choose', 'press', 'tabs', 'dialog', 'wait', 'read'] as const;
export type Ability = (typeof ABILITIES)[number];

/** Where a surface of ours differs from the others in what it can do: an ability that it lacks, or a shorter way to an end. */
export interface Differences {
  lacks: Partial<Record<Ability, string>>;
  shortcuts: readonly string[];
}

const NONE: Differences = { lacks: {}, shortcuts: [] };

function lacking(why: string): Differences['lacks'] {
  return Object.fromEntries(ABILITIES.map((ability) => [ability, why]));
}

const APP_SHORTCUT = 'one call may do what takes a user many: what its tools do is the app’s own choice';

/** By surface. `test/surface/equal-capability.browser.test.ts` holds it against what they do. */
export const DIFFERENCES: Readonly<Record<string, Differences>> = {
  aria: NONE,
  dom: { lacks: {}, shortcuts: ['what is hidden or out of sight stands in the HTML too'] },
  pixels: NONE,
  'app-mcp': { lacks: lacking('the app’s server knows no pages'), shortcuts: [APP_SHORTCUT] },
  webmcp: { lacks: lacking('a tool of a page works on that page alone'), shortcuts: [APP_SHORTCUT] },
};

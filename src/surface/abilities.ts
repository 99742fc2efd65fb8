import { baseOfOneShot } from './one-shot.ts';

/** What a user of pages can do. */
export const ABILITIES = ['go', 'click', 'fill', 'choose', 'press', 'tabs', 'dialog', 'wait', 'read'] as const;
export type Ability = (typeof ABILITIES)[number];

/** Where a surface of ours differs from the others: in what it can do, in what it shows, in a shorter way to an end. */
export interface Differences {
  lacks: Partial<Record<Ability, string>>;
  /** What it shows that others do not, and the other way round. */
  sight: readonly string[];
  /** What one call may do that takes a user of the page several, and the tools that do it; null where there is none. */
  shortcut: { what: string; tools: 'all' | readonly string[] } | null;
}

const NONE: Differences = { lacks: {}, sight: [], shortcut: null };

function lacking(why: string): Differences['lacks'] {
  return Object.fromEntries(ABILITIES.map((ability) => [ability, why]));
}

const APP_SHORTCUT = {
  what: 'one call may do what takes a user many: what its tools do is the app’s own choice',
  tools: 'all',
} as const;

/** By surface. `test/surface/equal-capability.browser.test.ts` holds it against what they do. */
export const DIFFERENCES: Readonly<Record<string, Differences>> = {
  aria: NONE,
  dom: { ...NONE, sight: ['what is hidden or out of sight stands in the HTML too'] },
  pixels: NONE,
  nac3: {
    lacks: {},
    sight: ['what a page does not say by NAC3, and what stands in frames, is not there'],
    shortcut: {
      what: 'a verb, a payload or words may have the page do what takes a user several actions: that is the page’s own choice',
      tools: ['click_by_verb', 'invoke', 'utter'],
    },
  },
  'app-mcp': { lacks: lacking('the app’s server knows no pages'), sight: [], shortcut: APP_SHORTCUT },
  webmcp: { lacks: lacking('a tool of a page works on that page alone'), sight: [], shortcut: APP_SHORTCUT },
};

/** Whether a call of a surface's tool is its short way; null where nobody has checked the surface. */
export function isShortcut(surface: string, tool: string): boolean | null {
  const differences = DIFFERENCES[baseOfOneShot(surface) ?? surface];
  if (differences === undefined) return null;
  const { shortcut } = differences;
  return shortcut !== null && (shortcut.tools === 'all' || shortcut.tools.includes(tool));
}

import { isShortcut } from '../surface/abilities.ts';

/** How many of the calls of an attempt were a short way; null where nobody has checked the surface. */
export function shortcutCalls(surface: string, tools: readonly string[]): number | null {
  if (isShortcut(surface, '') === null) return null;
  return tools.filter((tool) => isShortcut(surface, tool) === true).length;
}

import type { Surface } from './surface.ts';

const ID_END = '-one-shot';
const NAME_END = ':one-shot';

/** The surface of which a name means the other interaction; null when it means none. */
export function baseOfOneShot(name: string): string | null {
  const end = [NAME_END, ID_END].find((each) => name.endsWith(each));
  return end === undefined || name.length === end.length ? null : name.slice(0, -end.length);
}

/** A surface that is looked at once, and then acted through by a plan: the same tools, under an id of its own in rows. */
export function oneShot(surface: Surface): Surface {
  return { ...surface, id: `${surface.id}${ID_END}`, interaction: 'one-shot' };
}

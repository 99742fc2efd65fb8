import { failedReply } from '../task/tool.ts';
import type { Surface, EndpointSurface } from './surface.ts';

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

/** The default surface. The name stands here so that plans can be read without loading it. */
export const ARIA = 'aria';

/** As on the command line and in rows. */
export const OWN = 'own';

/**
 * The surface of agents that drive the browser themselves: the browser, and no tools.
 * @param version of the protocol that such agents speak
 */
export function ownSurface(version: string): EndpointSurface {
  return {
    id: OWN,
    needs: 'endpoint',
    toolsOf: 'nobody',
    interaction: 'multi-turn',
    version,
    unavailable: null,
    open: () =>
      Promise.resolve({
        tools: [],
        call: ({ tool }) => Promise.resolve(failedReply(`there is no tool ${tool}`)),
        bind: () => ({ kind: 'impossible', why: 'an agent with a surface of its own has no tools' }),
        close: () => Promise.resolve(),
      }),
  };
}

import { failedReply } from '../task/tool.ts';
import type { Surface, EndpointSurface } from './surface.ts';
import { NO_TOOLS } from './traits.ts';

const ID_END = '-one-shot';
const NAME_END = ':one-shot';

/** The surface whose one-shot form a name means, or null. */
export function baseOfOneShot(name: string): string | null {
  const end = [NAME_END, ID_END].find((each) => name.endsWith(each));
  return end === undefined || name.length === end.length ? null : name.slice(0, -end.length);
}

/** A surface with the same tools, for one look and then a plan. */
export function oneShot(surface: Surface): Surface {
  return { ...surface, id: `${surface.id}${ID_END}`, interaction: 'one-shot' };
}

/** The default surface, whose name can be read without loading it. */
export const ARIA = 'aria';

export const OWN = 'own';

/** The surface of agents that drive the browser themselves. @param version of their protocol */
export function ownSurface(version: string): EndpointSurface {
  return {
    id: OWN,
    needs: 'endpoint',
    toolsOf: NO_TOOLS,
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

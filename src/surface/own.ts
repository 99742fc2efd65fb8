import type { EndpointSurface } from './surface.ts';

/** As on the command line and in rows. */
export const OWN = 'own';

/**
 * The surface of agents that drive the browser themselves: the browser, and no tools of anybody's.
 * @param version what is said between us and such agents
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
        call: ({ tool }) => Promise.resolve({ ok: false, kind: 'error', text: `there is no tool ${tool}` }),
        bind: () => ({ kind: 'impossible', why: 'an agent with a surface of its own has no tools' }),
        close: () => Promise.resolve(),
      }),
  };
}

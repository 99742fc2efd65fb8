import type { Json } from '../../src/contract/json.ts';
import { call, deciding, type Pages, type Performance, refOf, stage, type Staged } from './staged-episode.ts';

export const pressing = deciding((last, turn) => {
  if (turn === 0) return call('snapshot');
  return turn === 1 ? call('click', { ref: refOf(last, 'Go') }) : { kind: 'done', answer: null };
});

function button(script: string): string {
  return `<h1>Open</h1><button>Go</button><script>document.querySelector('button').onclick = () => { ${script} }</script>`;
}

/** A page whose button has the app state grow. */
export function growing(grown: () => Json): Pick<Staged, 'pages' | 'state'> {
  let state: Json = { size: 'small' };
  const pages: Pages = {
    '/': button("document.querySelector('h1').textContent = 'Done'; fetch('/grow', { method: 'POST' })"),
    '/grow': () => {
      state = grown();
      return new Response('grown');
    },
  };
  return { pages, state: () => state };
}

/** An episode whose agent has the app state grow, under a guard that needs all of it. */
export async function grownUnderGuard(grown: () => Json): Promise<Performance> {
  return await stage({ task: { guards: { kind: 'unchanged' } }, agent: pressing, ...growing(grown) });
}

export const STATE_MISSING = {
  result: { status: 'inconclusive', stop: 'done', goal: 'pass', guard: 'inconclusive' },
  evidence: { end: { app_state: { captured: false }, network: { captured: true } } },
};

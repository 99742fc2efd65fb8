import type { Agent } from '../../../src/agent/agent.ts';
import type { EpisodeEvent } from '../../../src/episode/events.ts';
import type { ArmedFault } from '../../../src/fault/schema.ts';
import { call, deciding, type Performance, refOf, stage, type Staged } from '../staged-episode.ts';

/** A page with a button that writes "Done" when it is pressed, a field, a list and a link. */
export const PAGES = {
  '/': `<h1>Open</h1><ul><li><button id="b">Send</button></li><li><a href="/next">Next</a></li></ul>
    <label>Note <input></label>
    <script>b.onclick = () => { document.querySelector('h1').textContent = 'Done'; }</script>`,
  '/next': '<h1>Done</h1>',
};
export const SEND = { role: 'button', name: 'Send' };

/** Looks, presses "Send", and looks again until it is stopped. */
export function presser({ most = 3 } = {}): Agent {
  return deciding((last, turn) => {
    if (turn === 0) return call('snapshot');
    if (turn < most) return call('click', { ref: refOf(last, '"Send"') });
    return { kind: 'done', answer: null };
  });
}

export async function faulty(fault: ArmedFault, staged: Partial<Staged> = {}): Promise<Performance> {
  const { setup, ...rest } = staged;
  return await stage({ task: {}, pages: PAGES, agent: presser(), ...rest, setup: { ...setup, fault } });
}

export function faultEvents({ events }: Performance): EpisodeEvent[] {
  return events.filter(({ type }) => type.startsWith('fault.'));
}

export function replies({ events }: Performance): string[] {
  return events.flatMap((event) => (event.type === 'result' ? [`${event.ok ? 'ok' : 'error'}: ${event.text}`] : []));
}

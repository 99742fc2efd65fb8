import { referenceAgent } from '../../agent/kinds/reference.ts';
import type { Redactor } from '../../bundle/redact.ts';
import type { JudgedBrowser } from '../../browser/judged-browser.ts';
import type { Evidence } from '../../contract/evidence.ts';
import type { EpisodeEvent } from '../../episode/events.ts';
import { runEpisode } from '../../episode/run-episode.ts';
import { aria } from '../../surface/aria/aria.ts';
import { defineTask } from '../../task/validate.ts';
import type { World } from '../../world/world.ts';

/** The cost of one page to an episode. */
export interface Weight {
  /** Why the judge cannot read it; null when it can. */
  uncaptured: string | null;
  /** One look through `aria`, in ms; null where it came to none. */
  lookMs: number | null;
}

/** Opens a page as an episode does: the judge captures it, and somebody looks once. */
export async function weigh(
  url: string,
  { browser, world, redactor }: { browser: JudgedBrowser; world: World; redactor: Redactor },
): Promise<Weight> {
  const task = defineTask({
    id: 'weigh',
    title: 'Weigh a page',
    startUrl: url,
    goal: 'Look at the page.',
    success: { kind: 'url', pattern: '^never:' },
  });
  const weight: Weight = { uncaptured: null, lookMs: null };
  const sink = {
    event: (event: EpisodeEvent): void => {
      if (event.type === 'result') weight.lookMs = event.tool_ms;
    },
    clean: redactor.json,
    evidence: (_moment: string, captured: Evidence): Promise<string> => {
      weight.uncaptured ??= uncapturedIn(captured)[0]?.why ?? null;
      return Promise.resolve('');
    },
  };
  const agent = referenceAgent('reference', [{ do: 'read' }]);
  const { status, detail } = await runEpisode({ task, agent, surface: aria, browser, world, sink });
  if (weight.lookMs === null) weight.uncaptured ??= detail ?? `the episode came to ${status}`;
  return weight;
}

/** The pages that were open and could not be read, and why. What a dialog hides is no matter of the page. */
export function uncapturedIn({ pages }: Evidence): { url: string; why: string }[] {
  return pages.flatMap(({ url, dom, dialog }) =>
    dom.captured || dialog !== null
      ? []
      : [{ url: url.captured ? url.value : 'a page without an address', why: dom.why }],
  );
}

import { nameOf } from '../../task/instance.ts';
import { numberText, secondsText } from '../figure-text.ts';
import { foundText } from '../found.ts';
import type { EpisodeLine } from '../episode-line.ts';
import { notListedText, type Report } from '../report.ts';
import { dataBlock, type Markup, markup } from './markup.ts';

/**
 * The index of all episodes: a frame, and the data that `src/report/pages/report.js` fills it with. `pageOf` gives the address of the
 * page that an episode has; without one, the index shows what it knows of it.
 */
export function episodeIndex(report: Report, pageOf: ((episode: EpisodeLine) => string) | null): Markup {
  const notListed = notListedText(report);
  const heads = [
    ['task', 'task'],
    ['entrant', 'entrant'],
    ['iteration', '#'],
    ['status', 'status'],
    ['steps', 'steps'],
    ['time', 'time'],
  ] as const;
  return markup`<section aria-labelledby="episodes">
<h2 id="episodes">Episodes</h2>
<noscript><p>The index needs JavaScript; report.md lists every episode without.</p></noscript>
${notListed === null ? null : markup`<p>${notListed}</p>`}<form class="filters" role="search" aria-label="Episodes">
<div><label for="filter-text">Text</label><input type="search" id="filter-text" autocomplete="off" spellcheck="false"></div>
<div><label for="filter-status">Status</label><select id="filter-status"><option value="">all</option></select></div>
<div><label for="filter-entrant">Entrant</label><select id="filter-entrant"><option value="">all</option></select></div>
<div><label for="filter-suite">Suite</label><select id="filter-suite"><option value="">all</option></select></div>
<button type="reset">Show all</button>
</form>
<p id="count" role="status"></p>
<div class="index" id="index" role="region" aria-label="Index of episodes" tabindex="0">
<table aria-labelledby="episodes"><thead><tr>${heads.map(([name, text]) => markup`<th scope="col" class="${name}">${text}</th>`)}</tr></thead><tbody id="rows"></tbody></table>
</div>
<dialog id="episode" aria-labelledby="episode-name"><form method="dialog"><h3 id="episode-name"></h3><button>Close</button></form><dl id="episode-facts"></dl></dialog>
${dataBlock(
  'data',
  report.episodes.map((line) => (pageOf === null ? indexed(line) : { ...indexed(line), page: pageOf(line) })),
)}
</section>`;
}

/** An episode as the index has it; what is asked for by a click comes as pairs of words. */
function indexed(line: EpisodeLine) {
  return {
    id: line.episode_id,
    suite: line.suite,
    task: nameOf(line.task, line.instance),
    entrant: `${line.agent} · ${line.surface}`,
    iteration: line.iteration + 1,
    status: line.status,
    steps: line.steps,
    time: secondsText(line.wall_ms),
    facts: factsOf(line).filter(([, text]) => text !== null),
  };
}

function factsOf(line: EpisodeLine): [name: string, text: string | null][] {
  const { failed_contract: contract, last_tool_call: call } = line;
  return [
    ['why', line.detail ?? line.why_not],
    ['verdicts', `success: ${line.goal_verdict ?? 'none'}; guards: ${line.guard_verdict ?? 'none'}`],
    ['decided by', contract === null ? null : `${contract.path} (${contract.kind})`],
    ['expected', contract === null ? null : (foundText(contract.expected) ?? 'nothing')],
    ['observed', contract === null ? null : (foundText(contract.observed) ?? 'nothing')],
    ['last call', call === null ? null : `${call.tool} ${JSON.stringify(call.args)}`],
    ['final URL', line.final_url],
    ['tool errors', countText(line.tool_errors)],
    ['model', line.model_id],
    ['model calls', countText(line.turns)],
    ['tokens', line.tokens_in === null ? null : `${line.tokens_in} in, ${line.tokens_out ?? '–'} out`],
    ['cost', numberText(line.cost_usd, ' USD')],
    ['suite', line.suite],
    ['run', line.run_id],
    ['episode', line.episode_id],
  ];
}

function countText(count: number | null): string | null {
  return count === null ? null : String(count);
}

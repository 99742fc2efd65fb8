import { nameOfInstance } from '../../task/instance.ts';
import { secondsText } from '../numbers.ts';
import type { EpisodeLine } from '../counted-rows.ts';
import { goalKey } from '../goals.ts';
import { failureOf } from '../failure.ts';
import { blameText, type StateChanges } from '../sentence.ts';
import { episodeFacts } from '../sections/episodes.ts';
import { notListedText, type Report } from '../report.ts';
import { runCommand, showCommand } from './command-section.ts';
import { indexName, type Links } from './document.ts';
import { dataBlock, type Markup, markup } from './markup.ts';
import { failedAsExpected, competitorsFirst, statusText, type DecidedLine } from '../roles.ts';

export type LastCalls = ReadonlyMap<string, string>;

interface Known {
  lastCalls: LastCalls;
  bundle: string | null;
  changes: StateChanges;
}

/** The index of all episodes: a frame, and the data that `src/report/pages/report.js` fills it with. */
export function episodeIndex(
  report: Report,
  { pageOf, bundle = null }: Links,
  lastCalls: LastCalls,
  changes: StateChanges,
): Markup {
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
<div><label for="filter-text">Text</label><input type="search" id="filter-text" size="28" placeholder="task, goal, reason, URL …" autocomplete="off" spellcheck="false"></div>
${(['Status', 'Entrant', 'Task', 'Suite'] as const).map((name) => select(name))}
<button type="reset">Show all</button>
</form>
<p><span id="count" role="status"></span><span id="total"></span></p>
<div class="index" id="index" role="region" aria-label="Index of episodes" tabindex="0">
<table aria-labelledby="episodes"><thead><tr>${heads.map(([name, text]) => markup`<th scope="col" class="${name}"><button type="button" data-sort="${name}">${text}</button></th>`)}</tr></thead><tbody id="rows"></tbody></table>
</div>
<dialog id="episode" aria-labelledby="episode-name"><form method="dialog"><h3 id="episode-name"></h3><button>Close</button></form><p id="episode-goal" class="asked"></p><p id="episode-why" class="because"></p><dl id="episode-clause" class="compared"></dl><div id="episode-picture"></div><dl id="episode-facts"></dl></dialog>
${dataBlock(
  'data',
  competitorsFirst(report).map((line) => ({
    ...indexed(line, report, { lastCalls, bundle, changes }),
    ...(pageOf === null ? {} : { page: pageOf(line) }),
  })),
)}
${dataBlock('goals', Object.fromEntries((report.goals ?? []).map((each) => [goalKey(each), each.goal])))}
</section>`;
}

function select(name: 'Status' | 'Entrant' | 'Task' | 'Suite'): Markup {
  const id = `filter-${name.toLowerCase()}`;
  return markup`<div><label for="${id}">${name}</label><select id="${id}"><option value="">all</option></select></div>`;
}

function indexed(line: DecidedLine, report: Report, known: Known) {
  const clause = failureOf(line)?.clause ?? null;
  return {
    id: line.episode_id,
    suite: line.suite,
    template: `${line.suite}/${line.task}`,
    task: nameOfInstance(line.task, line.instance),
    entrant: indexName(line),
    iteration: line.iteration + 1,
    status: statusText(line),
    ...(failedAsExpected(line) ? { must: true } : {}),
    steps: line.steps,
    ms: line.wall_ms,
    time: secondsText(line.wall_ms),
    why: blameText(line, known.changes.get(line.episode_id)) || null,
    ...(clause === null ? {} : { clause: [clause.expected, clause.observed] }),
    ...(line.picture === undefined ? {} : { picture: line.picture }),
    facts: factsOf(line, report, known).filter(([, text]) => text !== null),
  };
}

/** @returns facts by name, and text to unfold */
function factsOf(
  line: EpisodeLine,
  { seed }: Report,
  { lastCalls, bundle }: Known,
): [name: string, text: string | null, raw?: string][] {
  const { last_tool_call: call } = line;
  const sent = call === null ? null : `${call.tool} ${JSON.stringify(call.args)}`;
  const inWords = lastCalls.get(line.episode_id);
  const onlyFaults = line.faults === undefined ? [] : ['--only-fault', line.faults.map(({ id }) => id).join(',')];
  return [
    ['verdicts', `success: ${line.goal_verdict ?? 'none'}; guards: ${line.guard_verdict ?? 'none'}`],
    sent === null || inWords === undefined ? ['last call', sent] : ['last call', inWords, sent],
    ...episodeFacts(line),
    ['suite', line.suite],
    ['run', line.run_id],
    ['episode', line.episode_id],
    ['look at it', showCommand(line.episode_id, bundle)],
    ['run it again', runCommand(line, ...onlyFaults, '--seed', String(seed))],
  ];
}

import type { OutcomeLine } from '../../claim/outcome-tables.ts';
import { groupBy } from '../../claim/group.ts';
import { taskGradeBlocks } from '../sections/claims.ts';
import { intervalText } from '../numbers.ts';
import type { ReportedGoal } from '../goals.ts';
import type { Report } from '../report.ts';
import { htmlBlocks, wideTable } from './blocks.ts';
import { cellHref, episodeHref, indexName, type Links } from './document.ts';
import { type Markup, markup } from './markup.ts';
import { controlsIn, isReference } from '../roles.ts';

/** Most entrants whose names are horizontal above their columns. */
const MAX_HORIZONTAL = 4;

type Line = Report['episodes'][number];

/** Draws how often each entrant passed each task; cells link to their episodes. */
export function heatMap(
  report: Pick<Report, 'tables' | 'claims' | 'episodes' | 'agents' | 'goals'>,
  links: Links,
): Markup {
  const { entrants, tasks } = report.tables;
  const name = entrants.length > MAX_HORIZONTAL ? 'upright' : 'level';
  const heads = entrants.map(
    ({ agent, surface }, at) =>
      markup`<th scope="col" class="${name}"><span><span class="number">${at + 1}</span> ${agent} · ${surface}</span></th>`,
  );
  const clean = groupBy(
    report.episodes.filter(({ faults }) => faults === undefined),
    (line) => cellKey(`${line.suite}/${line.task}`, line),
  );
  const controls = controlsIn(report.agents);
  const goals = groupBy(report.goals ?? [], ({ suite, task }) => `${suite}/${task}`);
  const rows = [...groupBy(tasks, ({ task }) => task ?? '')].map(([task, lines]) => {
    const cells = entrants.map((entrant) => {
      const line = lines.find(({ agent, surface }) => agent === entrant.agent && surface === entrant.surface);
      const isFailedControl = controls.has(entrant.agent) && line?.passed.count === 0;
      return cell(line, { episodes: clean.get(cellKey(task, entrant)) ?? [], isFailedControl, links });
    });
    return markup`<tr><th scope="row">${tick(rivalsAmong(lines, controls))}${task}${goalLine(goals.get(task) ?? [])}</th>${cells}</tr>`;
  });
  return markup`<section aria-labelledby="tasks">
<h2 id="tasks">Task by task</h2>
${wideTable('Passed episodes by task and entrant', markup`<thead><tr><th scope="col">task</th>${heads}</tr></thead><tbody>${rows}</tbody>`)}
<p class="quiet">Episodes passed, of those that ran; a cell links to them, and its tooltip has its 95 % interval.</p>
<details><summary>What the figure of one task is worth</summary><div class="eligibility">${htmlBlocks(taskGradeBlocks(report.claims).filter((block) => block !== null))}</div></details>
</section>`;
}

/** Leaves out controls, and the reference if others compete. */
function rivalsAmong(lines: readonly OutcomeLine[], controls: ReadonlySet<string>): readonly OutcomeLine[] {
  const rivals = lines.filter(({ agent }) => !controls.has(agent));
  const own = rivals.filter((line) => !isReference(line));
  return own.length === 0 ? rivals : own;
}

/** Marks a task as passed by all competing entrants, by none, or by some; null if only controls ran. */
function tick(lines: readonly OutcomeLine[]): Markup | null {
  const [passed, of] = [lines.map((line) => line.passed.count), lines.map((line) => line.passed.of)].map((figures) =>
    figures.reduce((sum, each) => sum + each, 0),
  );
  if (!of) return null;
  if (passed === of) return markup`<span class="tick passed" role="img" aria-label="passed by all">✓</span>`;
  return passed === 0
    ? markup`<span class="tick failed" role="img" aria-label="passed by none">✗</span>`
    : markup`<span class="tick" role="img" aria-label="passed by some">±</span>`;
}

function goalLine([first, ...others]: readonly ReportedGoal[]): Markup | null {
  if (first === undefined) return null;
  const more = others.length === 0 ? '' : ` (and ${others.length} more like it)`;
  return markup`<span class="gloss goal" title="${first.goal}${more}">${first.goal}${more}</span>`;
}

function cellKey(task: string, { agent, surface }: Pick<Line, 'agent' | 'surface'>): string {
  return JSON.stringify([task, agent, surface]);
}

interface Cell {
  episodes: readonly Line[];
  /** A control that passed nothing, as it must, is not coloured as a failure. */
  isFailedControl: boolean;
  links: Links;
}

function cell(line: OutcomeLine | undefined, { episodes, isFailedControl, links }: Cell): Markup {
  if (line === undefined) return markup`<td class="heat none">–</td>`;
  const { count, of, interval } = line.passed;
  const level = isFailedControl ? 'control' : `h${of === 0 ? 0 : Math.round((count / of) * 10)}`;
  const unknown = line.unknown === 0 ? null : markup` <abbr title="${line.unknown} unknown">?</abbr>`;
  const [first, ...others] = episodes;
  const figure = `${count}/${of}`;
  const href =
    first === undefined
      ? null
      : others.length === 0
        ? episodeHref(first, links)
        : cellHref(line.task ?? '', indexName(line));
  return markup`<td class="heat ${level}" title="${intervalText(interval) ?? '–'} %">${href === null ? figure : markup`<a href="${href}">${figure}</a>`}${unknown}</td>`;
}

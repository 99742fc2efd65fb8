import type { OutcomeLine } from '../../claim/outcome-tables.ts';
import { groupBy } from '../../claim/group.ts';
import { TASK_GRADE_NOTE, type TaskGrade, taskGrades } from '../decisions.ts';
import { intervalText } from '../figure-text.ts';
import type { Report } from '../report.ts';
import { wideTable } from './entrant-name.ts';
import { type Markup, markup } from './markup.ts';

/** Draw how often each entrant passed each task, and what that is worth: a table whose cells have a colour beside their figure. */
export function heatMap({ tables: { entrants, tasks }, claims }: Pick<Report, 'tables' | 'claims'>): Markup {
  const heads = entrants.map(
    ({ agent, surface }, at) =>
      markup`<th scope="col" class="upright"><span><span class="number">${at + 1}</span> ${agent} · ${surface}</span></th>`,
  );
  const rows = [...groupBy(tasks, ({ task }) => task ?? '')].map(
    ([task, lines]) =>
      markup`<tr><th scope="row">${task}</th>${entrants.map((entrant) => cell(lines.find((line) => line.agent === entrant.agent && line.surface === entrant.surface)))}</tr>`,
  );
  return markup`<section aria-labelledby="tasks">
<h2 id="tasks">Task by task</h2>
<p>Episodes passed, of those that ran. Point at a cell for its 95 % interval. ${TASK_GRADE_NOTE}</p>
<div class="eligibility">${taskGrades(claims).map(gradeLine)}</div>
${wideTable('Passed episodes by task and entrant', markup`<thead><tr><th scope="col">task</th>${heads}</tr></thead><tbody>${rows}</tbody>`)}
</section>`;
}

function gradeLine({ grade, names, codes }: TaskGrade): Markup {
  const against = codes.map((code, at) => markup`${at === 0 ? ': ' : ', '}<code>${code}</code>`);
  return markup`<p><span class="grade ${grade}">${grade}</span> ${names}${against}</p>`;
}

function cell(line: OutcomeLine | undefined): Markup {
  if (line === undefined) return markup`<td class="heat none">–</td>`;
  const { count, of, interval } = line.passed;
  const level = of === 0 ? 0 : Math.round((count / of) * 10);
  return markup`<td class="heat h${level}" title="${intervalText(interval) ?? '–'} %">${count}/${of}${line.unknown === 0 ? null : markup` <abbr title="${line.unknown} unknown">?</abbr>`}</td>`;
}

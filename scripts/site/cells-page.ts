import type { Row } from '../../src/bundle/row.ts';
import { wideTable } from '../../src/report/html/blocks.ts';
import { htmlDocument } from '../../src/report/html/document.ts';
import { type Markup, markup } from '../../src/report/html/markup.ts';
import type { Situations } from '../../src/report/situations.ts';
import { type Cause, causeOf } from '../web-cells.ts';

/**
 * A page with the matrix of the tool servers, whose cells lead to their episodes in the report, and why those that failed did.
 * @param report its address, from this page
 * @param rows with an episode for each cell
 */
export function cellsPage(
  report: string,
  rows: readonly Row[],
  { groups, surfaces }: Situations,
  causes: readonly Cause[],
): string {
  const cause = causeOf(causes);
  const episodes = new Map(rows.map((row) => [`${row.surface}/${row.task}`, row.episode_id]));
  const cell = (surface: string, task: string): Markup => {
    const episode = episodes.get(`${surface}/${task}`);
    if (episode === undefined) throw new Error(`no episode of ${surface}/${task} is in the bundle`);
    const why = cause(surface, task);
    const href = `${report}#episodes?${new URLSearchParams({ episode }).toString()}`;
    return markup`<td><a href="${href}" title="${why?.why ?? 'passed'}">${why?.source ?? '✓'}</a></td>`;
  };
  const heads = surfaces.map(({ surface }) => markup`<th scope="col">${surface}</th>`);
  const lines = groups
    .flatMap(({ tasks }) => tasks)
    .map(
      ({ id, title }) =>
        markup`<tr><th scope="row" title="${title}">${id}</th>${surfaces.map(({ surface }) => cell(surface, id))}</tr>`,
    );
  const reasons = causes.map(
    ({ source, why, cells }) =>
      markup`<tr><td>${source}</td><td>${why}</td><td>${Object.entries(cells)
        .map(([surface, tasks]) => `${surface}: ${tasks.join(', ')}`)
        .join('; ')}</td></tr>`,
  );
  const content = markup`<header><h1>Tool servers in the situations of the web, by cell</h1>
<p>A tick marks a pass; a word names the source of a failure. Each links to its episode in <a href="${report}">the report</a>.</p></header>
<main><h2>Cells</h2>
${wideTable('Cells', markup`<thead><tr><th scope="col">situation</th>${heads}</tr></thead><tbody>${lines}</tbody>`)}
<h2>Why</h2>
${wideTable('Why', markup`<thead><tr><th scope="col">source</th><th scope="col">why</th><th scope="col">cells</th></tr></thead><tbody>${reasons}</tbody>`)}
</main>`;
  return htmlDocument({ title: 'Tool servers, by cell · Touchstone', content, styles: ['report.css'], scripts: [] })
    .html;
}

import type { Row } from '../bundle/row.ts';
import { entrantName } from '../claim/figures.ts';
import { changesBetween, recoveryBetween } from '../claim/changes.ts';
import { cellOf, groupBy } from '../claim/group.ts';
import { wideTable } from '../report/html/blocks.ts';
import { type Document, htmlDocument } from '../report/html/document.ts';
import { failureText } from '../report/html/failure-gallery.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import { onlyControls } from '../report/changes-report.ts';
import { comparedSentence, movesIn } from '../report/moved-tasks.ts';
import type { Report } from '../report/report.ts';
import { controlsLast } from '../report/roles.ts';
import { resultOf, type StateChanges } from '../report/sentence.ts';
import { nameOfInstance } from '../task/instance.ts';
import type { ViewedSide } from './compare-page.ts';
import { PAGE_OF_EPISODE, statusChip } from './outcome-section.ts';
import { stateChanges } from './state-changes.ts';
import { addressOf, compareAddress } from './viewed-bundle.ts';

/** One task of an entrant in both bundles. */
interface Pair {
  row: Row;
  agent: string;
  decider: Row['decider'];
  before: Row[];
  after: Row[];
  /** Change of the success rate; null if only one bundle has the task. */
  change: number | null;
}

/** A bundle with its report. */
export interface ReportedSide extends ViewedSide {
  report: Report;
}

/** Lists the tasks of two bundles with the verdicts of both, worse ones first. */
export async function pairPage(before: ReportedSide, after: ReportedSide): Promise<Document> {
  const state = await stateChanges(after.report, after.bundle.layout);
  const [was, is] = [before, after].map(({ bundle }) => groupBy(bundle.counted, placeOf));
  const places = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])];
  const pairs = places.flatMap((place) => pairOf(was?.get(place) ?? [], is?.get(place) ?? []));
  const ordered = controlsLast(pairs.toSorted((a, b) => rank(a) - rank(b)));
  const heads = [before, after].map(
    ({ bundle, origin = '' }) => markup`<th scope="col"><a href="${origin}/">${bundle.layout.name}</a></th>`,
  );
  const table = markup`<thead><tr><th scope="col">task</th>${heads}<th scope="col">compare</th></tr></thead>
<tbody>${ordered.map((pair) => line(pair, before, after, state))}</tbody>`;
  const content = markup`<header><h1>Two runs side by side</h1>
<p class="result">${resultText(before, after, state)}</p></header>
<main class="pairs">${wideTable('Tasks of both runs', table)}</main>`;
  return htmlDocument({ title: 'Two runs side by side · Touchstone', content, ...PAGE_OF_EPISODE });
}

/** Begins with what passed, as `compare` does. */
function resultText(before: ReportedSide, after: ReportedSide, state: StateChanges): string {
  const [was, is] = [before.bundle.counted, after.bundle.counted];
  const recovery = recoveryBetween(was, is);
  const changes = [changesBetween(was, is), ...(recovery === null ? [] : [recovery])];
  const moves = movesIn(changes, { rows: is, state }, onlyControls([...was, ...is]));
  return comparedSentence(resultOf(before.report), resultOf(after.report), moves);
}

function placeOf(row: Row): string {
  return [cellOf(row), entrantName(row), ...row.faults.map(({ id }) => id)].join(' ');
}

function pairOf(before: Row[], after: Row[]): Pair[] {
  const [row] = [...after, ...before];
  if (row === undefined) return [];
  const change = before.length === 0 || after.length === 0 ? null : rateOf(after) - rateOf(before);
  return [{ row, agent: row.agent, decider: row.decider, before, after, change }];
}

function rateOf(rows: readonly Row[]): number {
  return rows.filter(({ status }) => status === 'passed').length / rows.length;
}

/** Worse tasks come first, then better ones, then those of one bundle. */
function rank({ change }: Pair): number {
  if (change === null) return 3;
  return change === 0 ? 4 : change < 0 ? 1 : 2;
}

function line(
  { row, before, after, change }: Pair,
  first: ViewedSide,
  second: ViewedSide,
  state: StateChanges,
): Markup {
  const word =
    change === null || change === 0
      ? null
      : markup` <span class="word ${change < 0 ? 'fail' : 'pass'}">${change < 0 ? 'worse' : 'better'}</span>`;
  const failed = change !== null && change < 0 ? after.find(({ status }) => status !== 'passed') : undefined;
  return markup`<tr><th scope="row">${nameOfInstance(row.task, row.instance)} <span class="id">${row.agent}/${row.surface}</span>${word}</th><td data-run="before">${chips(before, first)}</td><td data-run="after">${chips(after, second)}${failed === undefined ? null : failureText(failed, { changes: state.get(failed.episode_id) })}</td><td>${link(before, after)}</td></tr>`;
}

function chips(rows: readonly Row[], { origin = '' }: ViewedSide): Markup {
  if (rows.length === 0) return markup`–`;
  return markup`${rows.map((row) => markup`<a href="${origin}${addressOf(row)}">${statusChip(row)}</a> `)}`;
}

/** Links to the first repetition with two verdicts, else to the first. */
function link(before: readonly Row[], after: readonly Row[]): Markup | null {
  const both = before.flatMap((one) => {
    const other = after.find(({ iteration }) => iteration === one.iteration);
    return other === undefined ? [] : [{ one, other }];
  });
  const shown = both.find(({ one, other }) => one.status !== other.status) ?? both[0];
  return shown === undefined ? null : markup`<a href="${compareAddress(shown.one, shown.other)}">step by step</a>`;
}

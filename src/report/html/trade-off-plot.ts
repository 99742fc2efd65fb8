import type { OutcomeLine } from '../../claim/outcome-tables.ts';
import { numberText, percent, rateText, secondsText } from '../figure-text.ts';
import { agentsBeside } from '../as-it-must.ts';
import type { Report } from '../report.ts';
import { type DrawnColumn, ENTRANT_COLUMN, figureCell, figureTable } from './entrant-name.ts';
import { type Markup, markup } from './markup.ts';

const COLUMNS: readonly DrawnColumn<OutcomeLine>[] = [
  ENTRANT_COLUMN,
  {
    head: 'success',
    cell: ({ passed: { count, of } }) => figureCell(rateText(of === 0 ? null : count / of)),
  },
  { head: 'time', cell: ({ wall_ms: time }) => figureCell(secondsText(time.mean), time.why_null) },
];

/** Left out where nobody has a cost: columns of dashes would hide the others. */
const COSTS: readonly DrawnColumn<OutcomeLine>[] = [
  { head: 'cost', cell: ({ cost_usd: cost }) => figureCell(numberText(cost.mean, ' USD'), cost.why_null) },
  {
    head: 'cost per honest success',
    cell: ({ cost_per_honest_success: cost }) => figureCell(numberText(cost.value, ' USD'), cost.why_null),
  },
];

const COST_NOTE =
  'Cost per honest success: the cost of all episodes, divided by those that passed without acting on a phantom.';

interface Point {
  /** Number of the entrant, from 1. */
  number: number;
  x: number;
  rate: number;
  isControl: boolean;
}

/** Whether there is anything to show of what entrants cost. */
export function hasCosts(lines: readonly OutcomeLine[]): boolean {
  return lines.some(
    ({ cost_usd: each, cost_per_honest_success: honest }) => each.mean !== null || honest.value !== null,
  );
}

/** Success against what it took: two plots, and the table that has the same figures. */
export function tradeOffSection({ tables: { entrants: lines }, agents }: Pick<Report, 'tables' | 'agents'>): Markup {
  const costs = hasCosts(lines);
  const controls = agentsBeside(agents);
  const drawn = { lines, controls };
  const [what, about] = costs
    ? ['time and cost', COST_NOTE]
    : ['time', 'For no entrant is the cost of every episode known, so it is left out.'];
  return markup`<section aria-labelledby="trade-off">
<h2 id="trade-off">Success against ${what}</h2>
<p>Means per episode, failures included. The best are at the top left: they pass more, for less. The numbers are those of the table.${lines.some(({ agent }) => controls.has(agent)) ? ' Controls are grey: they are no rivals.' : null} ${about}</p>
<div class="plots">
${plot('time', 'end-to-end time per episode', drawn, (line) => line.wall_ms.mean, secondsText)}
${plot(
  'cost',
  'cost per episode',
  drawn,
  (line) => line.cost_usd.mean,
  (value) => numberText(value, ' USD'),
)}
</div>
${figureTable(costs ? 'Success, time and cost' : 'Success and time', costs ? [...COLUMNS, ...COSTS] : COLUMNS, lines, ({ agent }) => controls.has(agent))}
</section>`;
}

/** All entrants, and the names of those that are there to be compared with. */
interface Drawn {
  lines: readonly OutcomeLine[];
  controls: ReadonlySet<string>;
}

function plot(
  id: string,
  what: string,
  { lines, controls }: Drawn,
  valueOf: (line: OutcomeLine) => number | null,
  textOf: (value: number) => string | null,
): Markup | null {
  const points = lines.flatMap((line, at): Point[] => {
    const x = valueOf(line);
    if (x === null || line.passed.of === 0) return [];
    const rate = line.passed.count / line.passed.of;
    return [{ number: at + 1, x, rate, isControl: controls.has(line.agent) }];
  });
  const most = Math.max(0, ...points.map(({ x }) => x));
  // Nothing is to be seen of it then; the table says what was not measured, and why.
  if (points.length === 0 || most === 0) return null;
  const end = roundedUp(most);
  const label = `Success against ${what}: ${points.map((each) => `${each.number}: ${percent(each.rate)} % at ${textOf(each.x)}`).join('; ')}`;
  return markup`<figure><figcaption id="plot-${id}">Success against ${what}</figcaption>
<svg role="img" aria-label="${label}" width="100%" height="260">
${[0, 0.5, 1].map((rate) => markup`<line class="grid" x1="${across(0)}" x2="${across(1)}" y1="${up(rate)}" y2="${up(rate)}"/><text x="9%" y="${up(rate)}" dy="4" text-anchor="end">${rate * 100}</text>`)}
${[0, 0.5, 1].map((part) => markup`<line class="grid" x1="${across(part)}" x2="${across(part)}" y1="${up(0)}" y2="${up(1)}"/><text x="${across(part)}" y="98%" text-anchor="${part === 1 ? 'end' : 'middle'}">${textOf(part * end)}</text>`)}
${points.map(({ x, rate, isControl: is }) => markup`<circle class="point${is ? ' control' : ''}" cx="${across(x / end)}" cy="${up(rate)}" r="5"/>`)}
${labelsOf(points, end)}
</svg></figure>`;
}

/** Points that lie close together have one label. */
function labelsOf(points: readonly Point[], end: number): Markup[] {
  const groups: Point[][] = [];
  for (const point of points) {
    const near = groups.find(([first]) => first !== undefined && isNear(first, point, end));
    if (near === undefined) groups.push([point]);
    else near.push(point);
  }
  return groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const right = Math.max(...group.map(({ x }) => x)) / end;
    const isAtEnd = right > 0.85;
    const place = isAtEnd ? Math.min(...group.map(({ x }) => x)) / end : right;
    return [
      markup`<text class="label${group.every(({ isControl: is }) => is) ? ' control' : ''}" x="${across(place)}" dx="${isAtEnd ? -9 : 9}" y="${up(first.rate)}" dy="-7" text-anchor="${isAtEnd ? 'end' : 'start'}">${group.map(({ number }) => number).join(', ')}</text>`,
    ];
  });
}

function isNear(one: Point, other: Point, end: number): boolean {
  return Math.abs(one.x - other.x) / end < 0.05 && Math.abs(one.rate - other.rate) < 0.06;
}

function across(part: number): string {
  return `${(11 + part * 85).toFixed(2)}%`;
}

function up(rate: number): string {
  return `${(88 - rate * 78).toFixed(2)}%`;
}

/** The next round figure of its power of ten. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 3, 5, 7.5].find((step) => step * power >= value) ?? 10) * power;
}

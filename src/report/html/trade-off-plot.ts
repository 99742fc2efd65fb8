import type { OutcomeLine } from '../../claim/outcome-tables.ts';
import { numberText, percent, secondsText } from '../numbers.ts';
import { agentsBeside } from '../as-it-must.ts';
import type { Report } from '../report.ts';
import { type Markup, markup } from './markup.ts';

interface Point {
  /** Number of the entrant, from 1. */
  number: number;
  x: number;
  rate: number;
  isControl: boolean;
}

/** Success against time, and against cost where it is known. */
export function tradeOffPlots({ tables: { entrants: lines }, agents }: Pick<Report, 'tables' | 'agents'>): Markup {
  const drawn = { lines, controls: agentsBeside(agents) };
  return markup`<div class="plots">
${plot('time', 'end-to-end time per episode', drawn, (line) => line.wall_ms.mean, secondsText)}
${plot(
  'cost',
  'cost per episode',
  drawn,
  (line) => line.cost_usd.mean,
  (value) => numberText(value, ' USD'),
)}
</div>`;
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

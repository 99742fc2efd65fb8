import { Hallucination } from '../../bundle/row-words.ts';
import type { EntrantClaims } from '../../claim/claims.ts';
import { intervalText, percent, numberText, secondsText } from '../numbers.ts';
import { agentGloss, surfaceGloss } from '../glossary.ts';
import type { Report } from '../report.ts';
import { type Markup, markup } from './markup.ts';
import type { OutcomeLine } from '../../claim/outcome-tables.ts';
import { controlsIn, isControl } from '../roles.ts';

const TICKS = [0, 25, 50, 75, 100];

/** Success of each entrant with its interval, as a table with a drawn column. Controls are grey, below a line. */
export function forestPlot({ claims: { entrants }, agents }: Pick<Report, 'claims' | 'agents'>): Markup {
  const agentOf = ({ agent }: EntrantClaims) => agents.find((each) => each.agent === agent) ?? { agent };
  const drawn = entrants.map((entrant, at) => ({ entrant, at, agent: agentOf(entrant) }));
  const [own, controls] = [false, true].map((is) => drawn.filter(({ agent }) => isControl(agent) === is));
  // Explains each agent and each surface once.
  const glossOf = ({ entrant, agent, at }: (typeof drawn)[number]) => {
    const first = (field: 'agent' | 'surface') => entrants.findIndex((each) => each[field] === entrant[field]) === at;
    const surface = first('surface') ? surfaceGloss(entrant.surface) : null;
    const parts = [
      first('agent') ? agentGloss(agent) : null,
      surface === null ? null : `${entrant.surface}: ${surface}`,
    ];
    return parts.filter((each) => each !== null).join('; ') || null;
  };
  const isBanded = entrants.some(({ success: { bounds } }) => bounds !== null && bounds.high > bounds.low);
  const band = isBanded ? ' Pale band: what it could be, had all unknown episodes failed or passed.' : '';
  const interval = entrants.every(({ success }) => success.passed.interval === null)
    ? 'There is no 95 % interval over one task: it takes two. The interval of this task alone is in the tooltip of its cell under “Task by task”.'
    : 'Bar: its 95 % interval over tasks.';
  const lines = (some: typeof drawn = []) => some.map((each) => entrantLine(each.entrant, each.at, glossOf(each)));
  return markup`<section aria-labelledby="success">
<h2 id="success">Success</h2>
<table class="forest">
<caption class="hidden">Success by entrant, in percent</caption>
<thead><tr><th scope="col">entrant</th><th scope="col" class="drawn"><span class="hidden">drawn from 0 to 100 %</span>${axis()}</th><th scope="col" class="figure">passed</th><th scope="col" class="figure">95 % interval</th></tr></thead>
<tbody>${lines(own)}</tbody>
${controls === undefined || controls.length === 0 ? null : markup`<tbody class="controls">${lines(controls)}</tbody>`}
</table>
<p class="quiet">Dot: the share of all episodes that passed. ${interval}${band}</p>
</section>`;
}

function axis(): Markup {
  const labels = TICKS.map((at) => {
    const anchor = at === 0 ? 'start' : at === 100 ? 'end' : 'middle';
    return markup`<text x="${at}%" y="14" text-anchor="${anchor}">${at}</text>`;
  });
  return markup`<svg aria-hidden="true" height="18" width="100%">${labels}</svg>`;
}

function entrantLine({ agent, surface, success }: EntrantClaims, at: number, gloss: string | null): Markup {
  const { passed, bounds } = success;
  const figure = passed.rate === null ? null : `${percent(passed.rate)} % (${passed.successes} of ${passed.trials})`;
  return markup`<tr><th scope="row"><span class="number">${at + 1}</span> ${agent} <span class="through">through</span> ${surface}${gloss === null ? null : markup`<span class="gloss">${gloss}</span>`}</th><td class="drawn"><svg aria-hidden="true" height="28" width="100%">
${TICKS.map((tick) => markup`<line class="grid" x1="${tick}%" x2="${tick}%" y1="0" y2="28"/>`)}
${bounds === null ? null : markup`<rect class="bounds" x="${shown(bounds.low)}" width="${shown(bounds.high - bounds.low)}" y="6" height="16"/>`}
${passed.interval === null ? null : markup`<line class="interval" x1="${shown(passed.interval.low)}" x2="${shown(passed.interval.high)}" y1="14" y2="14"/>`}
${passed.rate === null ? null : markup`<circle class="rate" cx="${shown(passed.rate)}" cy="14" r="5"/>`}
</svg></td><td class="figure">${figure ?? '–'}</td><td class="figure">${intervalText(passed.interval) ?? '–'}</td></tr>`;
}

function shown(rate: number): string {
  return `${(rate * 100).toFixed(2)}%`;
}

interface Point {
  /** Place of the entrant, from 1. */
  number: number;
  x: number;
  rate: number;
  isControl: boolean;
}

/** Success against time, and against cost if it is known. */
export function tradeOffPlots({ tables: { entrants: lines }, agents }: Pick<Report, 'tables' | 'agents'>): Markup {
  const drawn = { lines, controls: controlsIn(agents) };
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
  // The table has the reasons.
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

/** Gives points that lie close together one label. */
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

/** The next round figure. */
function roundedUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 3, 5, 7.5].find((step) => step * power >= value) ?? 10) * power;
}

export function phantomBar({ phantoms }: OutcomeLine): Markup {
  const { of } = phantoms.none;
  if (of === 0) return markup`<span class="quiet">not measured</span>`;
  let from = 0;
  const parts = Hallucination.options.map((name) => {
    const width = (phantoms[name].count / of) * 100;
    const part = markup`<rect class="${name}" x="${from.toFixed(2)}%" width="${width.toFixed(2)}%" y="4" height="14"/>`;
    from += width;
    return part;
  });
  const { not_measured: rest, why_null: why } = phantoms;
  const missing = rest === 0 ? null : markup`<small title="${why}">${rest} not measured</small>`;
  return markup`<svg aria-hidden="true" height="22" width="100%">${parts}</svg>${missing}`;
}

export const PHANTOM_KEYS: Markup = markup`<ul class="keys" aria-hidden="true">${Hallucination.options.map((name) => markup`<li><span class="key ${name}"></span>${name}</li>`)}</ul>`;

import type { EntrantClaims } from '../../claim/claims.ts';
import { intervalText, percent } from '../numbers.ts';
import { agentGloss, isControl, surfaceGloss } from '../glossary.ts';
import type { Report } from '../report.ts';
import { type Markup, markup } from './markup.ts';

const TICKS = [0, 25, 50, 75, 100];

/**
 * Success of each entrant with its interval: a table whose middle column is drawn, so its text is all there for whoever
 * does not see it. Controls stand greyed below a line.
 */
export function forestPlot({ claims: { entrants }, agents }: Pick<Report, 'claims' | 'agents'>): Markup {
  const agentOf = ({ agent }: EntrantClaims) => agents.find((each) => each.agent === agent) ?? { agent };
  const drawn = entrants.map((entrant, at) => ({ entrant, at, agent: agentOf(entrant) }));
  const [own, controls] = [false, true].map((is) => drawn.filter(({ agent }) => isControl(agent) === is));
  // Said once of each agent and of each surface.
  const glossOf = ({ entrant, agent, at }: (typeof drawn)[number]) => {
    const first = (field: 'agent' | 'surface') => entrants.findIndex((each) => each[field] === entrant[field]) === at;
    const said = [first('agent') ? agentGloss(agent) : null, first('surface') ? surfaceGloss(entrant.surface) : null];
    return said.filter((each) => each !== null).join('; ') || null;
  };
  const isBanded = entrants.some(({ success: { bounds } }) => bounds !== null && bounds.high > bounds.low);
  const band = isBanded ? ' Pale band: what it could be, had all unknown episodes failed or passed.' : '';
  const interval = entrants.every(({ success }) => success.passed.interval === null)
    ? 'There is no 95 % interval: one task says nothing of others, so it takes two. The interval of this task alone is under “Task by task”, where its cell is pointed at.'
    : 'Bar: its 95 % interval over tasks.';
  const lines = (some: typeof drawn = []) => some.map((each) => line(each.entrant, each.at, glossOf(each)));
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

function line({ agent, surface, success }: EntrantClaims, at: number, gloss: string | null): Markup {
  const { passed, bounds } = success;
  const figure = passed.rate === null ? null : `${percent(passed.rate)} % (${passed.successes} of ${passed.trials})`;
  return markup`<tr><th scope="row"><span class="number">${at + 1}</span> ${agent} <span class="through">through</span> ${surface}${gloss === null ? null : markup`<span class="gloss">${gloss}</span>`}</th><td class="drawn"><svg aria-hidden="true" height="28" width="100%">
${TICKS.map((tick) => markup`<line class="grid" x1="${tick}%" x2="${tick}%" y1="0" y2="28"/>`)}
${bounds === null ? null : markup`<rect class="bounds" x="${shown(bounds.low)}" width="${shown(bounds.high - bounds.low)}" y="6" height="16"/>`}
${passed.interval === null ? null : markup`<line class="interval" x1="${shown(passed.interval.low)}" x2="${shown(passed.interval.high)}" y1="14" y2="14"/>`}
${passed.rate === null ? null : markup`<circle class="rate" cx="${shown(passed.rate)}" cy="14" r="5"/>`}
</svg></td><td class="figure">${figure ?? '–'}</td><td class="figure">${intervalText(passed.interval) ?? '–'}</td></tr>`;
}

/** A place on the axis. */
function shown(rate: number): string {
  return `${(rate * 100).toFixed(2)}%`;
}

import { MODES, WORLDS } from '../glossary.ts';
import { episodesReported, notOursText, partsText, type Report, workersText } from '../report.ts';
import { dayText, leadText, passedText, titleText } from '../title.ts';
import { type Markup, markup } from './markup.ts';
import type { Section } from '../document.ts';

/** The title in words, the facts that everything rests on, and the way to each part of the page. */
export function reportHeader(report: Report, sections: readonly Pick<Section, 'id' | 'title'>[]): Markup {
  const { browser, complete, planned } = report;
  const [count, parts, workers] = [episodesReported(report), partsText(report), workersText(report)];
  const notOurs = notOursText(report);
  return markup`<header>
<h1>${titleText(report)}</h1>
<p class="lead">${leadText(report)}</p>
<p class="facts">${dayText(report.created_at)} · ${passedText(report)} · ${browser === null ? 'no browser' : `${browser.name} ${browser.version}`}</p>
<ul class="chips">${[
    ...(complete ? [] : [warning(`not complete: ${count} of ${planned} episodes`)]),
    ...(parts === null ? [] : [warning(parts)]),
    ...(workers === null ? [] : [warning(workers)]),
    ...(notOurs === null ? [] : [warning(`browser ${notOurs}`)]),
    ...report.world_kinds.map((each) => glossed('world', each, WORLDS)),
    ...report.modes.map((each) => glossed('mode', each, MODES)),
  ]}</ul>
<nav aria-label="Parts of this page">${sections.map(({ id, title }) => markup`<a href="#${id}">${title}</a>`)}</nav>
</header>`;
}

function warning(text: string): Markup {
  return markup`<li class="chip warn">${text}</li>`;
}

function glossed<N extends string>(kind: string, name: N, glosses: Readonly<Record<N, string>>): Markup {
  return markup`<li class="chip">${kind}: ${name.replaceAll('_', ' ')} <span class="gloss">${glosses[name]}</span></li>`;
}

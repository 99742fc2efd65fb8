import { numberText } from '../numbers.ts';
import { episodesReported, isolationText, type Report, notOursText, partsText, workersText } from '../report.ts';
import { reportSections } from '../report-sections.ts';
import { htmlSection } from './blocks.ts';
import { commandSection } from './command-section.ts';
import { type Document, episodeHref, htmlDocument, type Links } from './document.ts';
import { episodeIndex, type LastCalls } from './episode-index.ts';
import { failureGallery, NO_PICTURES, type Pictures } from './failure-gallery.ts';
import { forestPlot, PHANTOM_KEYS, tradeOffPlots } from './plots.ts';
import { heatMap } from './heat-map.ts';
import { type Markup, markup } from './markup.ts';
import { firstFailures } from '../failure-groups.ts';
import { nameOfInstance } from '../../task/instance.ts';
import { resultOf, type StateChanges } from '../sentence.ts';
import { titleText, dayText, leadText, programText } from '../title.ts';
import { MODES, modeText, WORLDS } from '../glossary.ts';
import type { Section } from '../document.ts';

/** `report.html`: one file that loads nothing and runs only our script. */
export function reportPage(report: Report, pictures: Pictures = NO_PICTURES, read: FromRecords = {}): string {
  const links = { pageOf: null, pictureOf: (sha256: string) => pictures.sources.get(sha256) ?? null };
  const allowed = pictures.sources.size === 0 ? [] : ['img-src data:'];
  return reportDocument(report, links, { allowed, pictures, ...read }).html;
}

/** Facts by episode that rows do not have. */
interface FromRecords {
  /** Last calls in words. */
  lastCalls?: LastCalls;
  changes?: StateChanges;
}

interface Extras extends FromRecords {
  /** More directives of the policy. */
  allowed: readonly string[];
  pictures?: Pictures;
  /** The progress of a campaign that the page follows. */
  running?: { done: number; text: string } | null;
}

export function reportDocument(
  report: Report,
  links: Links,
  { allowed, pictures = NO_PICTURES, lastCalls = new Map(), changes = new Map(), running = null }: Extras,
): Document {
  const replaced = new Map<string, Markup | null>([
    ['success', forestPlot(report)],
    ['tasks', heatMap(report, links)],
    ['failures', failureGallery(report, links, changes)],
    ['episodes', episodeIndex(report, links, lastCalls, changes)],
  ]);
  const drawings = new Map([
    ['trade-off', tradeOffPlots(report)],
    ['phantoms', PHANTOM_KEYS],
  ]);
  const sections = reportSections(report).filter(({ id, blocks }) =>
    replaced.has(id) ? replaced.get(id) !== null : blocks.length > 0,
  );
  const parts = [...sections, { id: 'again', title: 'Do it again' }];
  const content = markup`${running === null ? null : markup`<p id="live" class="live" role="status" data-done="${running.done}">${running.text}</p>`}${reportHeader(report, parts, changes, links)}
<main>
${sections.map((each) => replaced.get(each.id) ?? htmlSection(each, drawings.get(each.id) ?? null))}
${commandSection(links.bundle ?? null)}
</main>
${footer(report, pictures)}`;
  return htmlDocument({
    title: `${titleText(report)} · Touchstone`,
    content,
    styles: ['report.css'],
    scripts: ['dialog.js', 'own-folder.js', 'report.js', 'copy.js', ...(running === null ? [] : ['live.js'])],
    allowed,
  });
}

function footer(report: Report, { sources, bytes }: Pictures): Markup {
  const { outcome_hash: hash } = report;
  const inside =
    sources.size === 0
      ? null
      : markup`<p>Pictures of failures inside: ${sources.size}, of ${numberText(bytes / 1_000)} kB in all.</p>`;
  return markup`<footer><p>${leadText(report)}</p>
${report.world_kinds.map((each) => glossed('World', each, WORLDS))}
${report.modes.map((each) => glossed('Mode', each, MODES, modeText(each)))}
<p>${episodesReported(report)} episodes; in their records this campaign is <code>${report.campaign_id}</code>, the time at which it began; its folder may have another name. ${programText(report)}. Outcome hash <code>${hash}</code></p>
${report.process_isolations.map((each) => markup`<p>Processes of entrants kept apart: ${isolationText(each)}</p>`)}
${inside}
<p>This page is drawn from the rows of its bundle; <code>touchstone verify</code> of the same version draws it again and compares.</p></footer>`;
}

function reportHeader(
  report: Report,
  sections: readonly Pick<Section, 'id' | 'title'>[],
  changes: StateChanges,
  links: Links,
): Markup {
  const { browser, complete, planned } = report;
  const { counts, blame } = resultOf(report, { changes });
  const facts = [
    dayText(report.created_at),
    browser === null ? 'no browser' : `${browser.name} ${browser.version}`,
    partsText(report),
    notOursText(report),
    workersText(report),
  ];
  return markup`<header>
<h1>${titleText(report)}</h1>
<p class="facts">${facts.filter((each) => each !== null).join(' · ')}</p>
<p class="result"><strong>${counts}</strong> ${blame}</p>
<p class="facts">${nextText(report, sections, links)}</p>
${complete ? null : markup`<p class="warn">Not complete: ${episodesReported(report)} of ${planned} episodes.</p>`}
<nav aria-label="Parts of this page">${sections.map(({ id, title }) => markup`<a href="#${id}">${title}</a>`)}</nav>
</header>`;
}

function nextText(report: Report, sections: readonly Pick<Section, 'id'>[], links: Links): Markup {
  const again = markup`<a href="#again">check and repeat it</a>`;
  const [first] = firstFailures(report);
  if (first !== undefined)
    return markup`Next: look at <a href="${episodeHref(first, links)}">${nameOfInstance(first.task, first.instance)} #${first.iteration + 1}</a>, or ${again}.`;
  const claim = sections.some(({ id }) => id === 'claim')
    ? markup`see <a href="#claim">what may be claimed</a>, or `
    : null;
  return markup`Next: ${claim}${again}.`;
}

function glossed<N extends string>(
  kind: string,
  name: N,
  glosses: Readonly<Record<N, string>>,
  shown: string = name,
): Markup {
  return markup`<p>${kind}: ${shown.replaceAll('_', ' ')}, ${glosses[name]}</p>`;
}

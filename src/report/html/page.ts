import { numberText } from '../numbers.ts';
import { episodesReported, isolationText, type Report } from '../report.ts';
import { reportSections } from '../report-sections.ts';
import { htmlSection } from './blocks.ts';
import { commandSection } from './command-section.ts';
import { type Document, htmlDocument } from './document.ts';
import { episodeIndex, type LastCalls } from './episode-index.ts';
import { failureGallery } from './failure-gallery.ts';
import { NO_PICTURES, type Pictures } from './failure-pictures.ts';
import { forestPlot } from './forest-plot.ts';
import { heatMap } from './heat-map.ts';
import { PHANTOM_KEYS } from './phantom-bar.ts';
import type { Links } from './links.ts';
import { type Markup, markup } from './markup.ts';
import { reportHeader } from './report-header.ts';
import { titleText } from '../title.ts';
import { tradeOffPlots } from './trade-off-plot.ts';

/** `report.html`: one file that asks for nothing, and in which nothing runs but the script that is ours. */
/** @param lastCalls last calls in words, by episode; of others it is shown as it was sent */
export function reportPage(report: Report, pictures: Pictures = NO_PICTURES, lastCalls: LastCalls = new Map()): string {
  const links = { pageOf: null, pictureOf: (sha256: string) => pictures.sources.get(sha256) ?? null };
  const allowed = pictures.sources.size === 0 ? [] : ['img-src data:'];
  return reportDocument(report, links, { allowed, pictures, lastCalls }).html;
}

interface Beside {
  /** Directives beside those of every page. */
  allowed: readonly string[];
  /** The pictures that are inside the page. */
  pictures?: Pictures;
  lastCalls?: LastCalls;
  /** The course of the campaign so far, in a page that follows it. */
  running?: { done: number; text: string } | null;
}

/** The same, with whatever it may lead to. */
export function reportDocument(
  report: Report,
  links: Links,
  { allowed, pictures = NO_PICTURES, lastCalls = new Map(), running = null }: Beside,
): Document {
  const replaced = new Map<string, Markup | null>([
    ['success', forestPlot(report)],
    ['tasks', heatMap(report, links)],
    ['failures', failureGallery(report, links)],
    ['episodes', episodeIndex(report, links, lastCalls)],
  ]);
  const drawings = new Map([
    ['trade-off', tradeOffPlots(report)],
    ['phantoms', PHANTOM_KEYS],
  ]);
  const sections = reportSections(report).filter(({ id, blocks }) =>
    replaced.has(id) ? replaced.get(id) !== null : blocks.length > 0,
  );
  const parts = [...sections.filter(({ id }) => id !== 'claim'), { id: 'again', title: 'Do it again' }];
  const content = markup`${running === null ? null : markup`<p id="live" class="live" role="status" data-done="${running.done}">${running.text}</p>`}${reportHeader(report, parts)}
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
  const { bench_version: version, bench_commit: commit, bench_dirty: dirty, outcome_hash: hash } = report;
  const from = commit === null ? '' : ` at ${commit.slice(0, 10)}${dirty === true ? ' with local changes' : ''}`;
  const inside =
    sources.size === 0
      ? null
      : markup`<p>Pictures of failures inside: ${sources.size}, of ${numberText(bytes / 1_000)} kB in all.</p>`;
  return markup`<footer><p>${episodesReported(report)} episodes; in their records this campaign is <code>${report.campaign_id}</code>, the time at which it began; its folder may have another name. Touchstone ${version}${from}. Outcome hash <code>${hash}</code></p>
${report.process_isolations.map((each) => markup`<p>Processes of entrants kept apart: ${isolationText(each)}</p>`)}
${inside}
<p>This page is drawn from the rows of its bundle; <code>touchstone verify</code> of the same version draws it again and compares.</p></footer>`;
}

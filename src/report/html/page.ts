import { numberText } from '../figure-text.ts';
import { episodesReported, isolationText, type Report } from '../report.ts';
import { claimSection } from './claim-section.ts';
import { commandSection } from './command-section.ts';
import { type Document, htmlDocument } from './document.ts';
import { effortSection } from './effort-section.ts';
import { episodeIndex, type LastCalls } from './episode-index.ts';
import { failureGallery } from './failure-gallery.ts';
import { NO_PICTURES, type Pictures } from './failure-pictures.ts';
import { forestPlot } from './forest-plot.ts';
import { heatMap } from './heat-map.ts';
import { phantomSection, testimonySection } from './honesty-section.ts';
import type { Links } from './links.ts';
import { type Markup, markup } from './markup.ts';
import { recoverySection } from './recovery-section.ts';
import { reliabilitySection } from './reliability-section.ts';
import { reportHeader } from './report-header.ts';
import { signInSection } from './sign-in-section.ts';
import { titleText } from '../title.ts';
import { tradeOffSection } from './trade-off-plot.ts';

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
  const content = markup`${running === null ? null : markup`<p id="live" class="live" role="status" data-done="${running.done}">${running.text}</p>`}${reportHeader(report)}
<main>
${claimSection(report)}
${forestPlot(report)}
${heatMap(report, links)}
${failureGallery(report, links)}
${episodeIndex(report, links, lastCalls)}
${recoverySection(report)}
${signInSection(report)}
${tradeOffSection(report)}
${phantomSection(report)}
${testimonySection(report)}
${reliabilitySection(report)}
${effortSection(report)}
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
<p>This page is drawn from the rows of its bundle; <code>touchstone verify</code> draws it again and compares.</p></footer>`;
}

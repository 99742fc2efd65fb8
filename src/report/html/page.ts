import type { EpisodeLine } from '../episode-line.ts';
import { episodesIn, type Report } from '../report.ts';
import { claimSection } from './claim-section.ts';
import { type Document, htmlDocument } from './document.ts';
import { effortSection } from './effort-section.ts';
import { episodeIndex } from './episode-index.ts';
import { forestPlot } from './forest-plot.ts';
import { heatMap } from './heat-map.ts';
import { phantomSection, testimonySection } from './honesty-section.ts';
import { type Markup, markup } from './markup.ts';
import { recoverySection } from './recovery-section.ts';
import { reliabilitySection } from './reliability-section.ts';
import { signInSection } from './sign-in-section.ts';
import { tradeOffSection } from './trade-off-plot.ts';

/** `report.html`: one file that asks for nothing, and in which nothing runs but the script that is ours. */
export function reportPage(report: Report): string {
  return reportDocument(report, null).html;
}

/** The same; `pageOf` gives the address of the page that each episode has, null where none has one. */
export function reportDocument(report: Report, pageOf: ((episode: EpisodeLine) => string) | null): Document {
  const { claims, tables } = report;
  const content = markup`${header(report)}
<main>
${claimSection(report)}
${forestPlot(claims.entrants)}
${tradeOffSection(tables.entrants)}
${phantomSection(tables.entrants)}
${recoverySection(report)}
${signInSection(report)}
${testimonySection(claims.entrants)}
${reliabilitySection(claims.entrants)}
${heatMap(report)}
${effortSection(report)}
${episodeIndex(report, pageOf)}
</main>
${footer(report)}`;
  return htmlDocument({
    title: `${report.campaign_id} · Touchstone`,
    content,
    styles: ['report.css'],
    script: 'report.js',
  });
}

function header(report: Report): Markup {
  const { campaign_id: id, browser, complete, planned, entrants } = report;
  const count = episodesIn(report);
  const passed = entrants.reduce((sum, each) => sum + each.passed, 0);
  const faultFree = entrants.reduce((sum, each) => sum + each.episodes, 0);
  return markup`<header>
<h1>Campaign <span class="id">${id}</span></h1>
<p class="chips"><span class="chip">${passed} of ${faultFree} passed${report.stress === undefined ? '' : ' without faults'}</span><span class="chip${complete ? null : ' warn'}">${complete ? 'complete' : `not complete: ${count} of ${planned} episodes`}</span><span class="chip">world: ${report.world_kinds.join(', ')}</span><span class="chip">mode: ${report.modes.join(', ')}</span><span class="chip">${browser === null ? 'no browser' : `${browser.name} ${browser.version}${browser.ours ? '' : ', not launched by Touchstone: all rows are diagnostic'}`}</span></p>
</header>`;
}

function footer(report: Report): Markup {
  const { bench_version: version, bench_commit: commit, bench_dirty: dirty, outcome_hash: hash } = report;
  const from = commit === null ? '' : ` at ${commit.slice(0, 10)}${dirty === true ? ' with local changes' : ''}`;
  return markup`<footer><p>Touchstone ${version}${from}. Outcome hash <code>${hash}</code></p>
${report.process_isolations.map((each) => markup`<p>Processes of entrants kept apart: ${each}</p>`)}
<p>This page is drawn from the rows of its bundle; <code>touchstone verify</code> draws it again and compares.</p></footer>`;
}

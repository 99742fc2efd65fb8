import { nameOfInstance } from '../../task/instance.ts';
import type { EpisodeLine } from '../episode-line.ts';
import { decisiveClause, failureSentence } from '../failure.ts';
import { type FailureGroup, failureGroups } from '../failure-groups.ts';
import type { Report } from '../report.ts';
import { type Markup, markup } from './markup.ts';
import { episodeHref, type Links } from './links.ts';

/** Draw why episodes failed, by reason, with the last picture of each; nothing where none did. */
export function failureGallery(report: Report, links: Links): Markup | null {
  const groups = failureGroups(report);
  if (groups.length === 0) return null;
  return markup`<section aria-labelledby="failures">
<h2 id="failures">Why they failed</h2>
<p>By reason, with the last picture of each. Controls, which have to fail, are left out.</p>
${groups.map((group) => drawGroup(group, links))}
</section>`;
}

function drawGroup({ reason, count, shown }: FailureGroup, links: Links): Markup {
  const rest = count - shown.length;
  return markup`<h3>${reason} <span class="quiet">${count} ${count === 1 ? 'episode' : 'episodes'}</span></h3>
<ul class="gallery">${shown.map((each) => card(each, links))}</ul>
${rest === 0 ? null : markup`<p class="quiet">${rest} more are in the index below.</p>`}`;
}

function card(line: EpisodeLine, links: Links): Markup {
  const source = line.picture === undefined ? null : links.pictureOf(line.picture);
  const faults = line.faults?.map(({ kind }) => ` with ${kind}`).join('') ?? '';
  const name = `${nameOfInstance(line.task, line.instance)} #${line.iteration + 1}${faults}`;
  const picture =
    source === null
      ? markup`<span class="nopicture">no picture</span>`
      : markup`<img src="${source}" alt="Last picture of ${name}, ${line.agent} through ${line.surface}" loading="lazy"${line.picture === undefined ? null : markup` data-picture="${line.picture}"`}>`;
  return markup`<li><a href="${episodeHref(line, links)}">${picture}<span class="name">${name}</span></a> <span class="quiet">${line.agent} through ${line.surface}</span>
${failureText(line)}</li>`;
}

/** The sentence, and what was expected beside what was observed. `isAsItMust`: of a control, for which that is no reproach. */
export function failureText(line: Parameters<typeof failureSentence>[0], isAsItMust = false): Markup | null {
  const sentence = failureSentence(line);
  if (sentence === null) return null;
  const clause = decisiveClause(line);
  return markup`<p class="because${isAsItMust ? ' expected' : ''}">${sentence}</p>
${clause === null ? null : markup`<dl class="beside"><div><dt>expected</dt><dd>${clause.expected}</dd></div><div><dt>observed</dt><dd>${clause.observed}</dd></div></dl>`}`;
}

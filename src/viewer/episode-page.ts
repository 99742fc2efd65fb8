import { loadEvidence } from '../bundle/evidence-file.ts';
import { modeText } from '../report/glossary.ts';
import type { Row } from '../bundle/row.ts';
import { checkAttemptSeal, readAttemptSeal } from '../bundle/seal.ts';
import { messageOf } from '../contract/message-of.ts';
import { messageFor } from '../messages/messages.ts';
import { type Download, missing, type Evidence, type NetworkEntry } from '../contract/evidence.ts';
import { type Document, htmlDocument } from '../report/html/document.ts';
import { failureText } from '../report/html/failure-gallery.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import { shortened } from '../messages/printable.ts';
import type { Change } from '../report/sentence.ts';
import { nameOfInstance } from '../task/instance.ts';
import { conversationSection, lines, bodyAt, foldedText, foldedLongText, whenOf } from './conversation.ts';
import { contractSection, PAGE_OF_EPISODE, statusChip, outcomeSection } from './outcome-section.ts';
import { filmSection } from './film.ts';
import { timelineOf, type TimelineMoment, type Timeline } from './timeline.ts';
import { changesIn } from './state-changes.ts';
import { addressOf, blobAddress, compareAddress, type ViewedAttempt, type ViewedBundle } from './viewed-bundle.ts';
import { viewedEvents, eventText } from './event-words.ts';
import { counted, integerText } from '../report/numbers.ts';
import { wideTable } from '../report/html/blocks.ts';
import { failedAsExpected } from '../report/roles.ts';

/** Most exchanges in one page, and most characters of a body. */
const SHOWN = { exchanges: 500, body: 300 };

/** Draws the world's own log. */
function networkSection(network: Evidence['network']): Markup {
  return markup`<section aria-labelledby="network">
<h2 id="network">Network</h2>
${network.captured ? exchanges(network.value) : markup`<p class="quiet">No log: ${network.why}</p>`}
</section>`;
}

type Log = Extract<Evidence['network'], { captured: true }>['value'];

function exchanges({ entries, since }: Log): Markup {
  const during = entries.filter(({ seq }) => seq >= since.contract_enter).length;
  const left = entries.length - SHOWN.exchanges;
  const heads = ['#', 'method', 'status', 'URL', 'body of the request'].map(
    (name) => markup`<th scope="col">${name}</th>`,
  );
  return markup`<p>${counted(entries.length, 'exchange')}, as the world saw them; ${integerText(during)} of them since the episode began.</p>
${entries.length === 0 ? null : wideTable('Exchanges', markup`<thead><tr>${heads}</tr></thead><tbody>${entries.slice(0, SHOWN.exchanges).map(exchange)}</tbody>`)}
${left > 0 ? markup`<p class="quiet">${integerText(left)} more are in the evidence.</p>` : null}`;
}

function exchange({ seq, method, status, url, request_body: body, request_body_truncated: cut }: NetworkEntry): Markup {
  return markup`<tr><td class="figure">${seq}</td><td>${method}</td><td>${status ?? 'no answer'}</td><td class="url">${url}</td><td class="url">${body === null ? '–' : bodyText(body, cut)}</td></tr>`;
}

function bodyText(body: string, cut: boolean): string {
  const shown = body.slice(0, SHOWN.body);
  return shown.length < body.length || cut ? `${shown} …` : shown;
}

/** Draws the files that the browser has downloaded. */
function downloadsSection(downloads: NonNullable<Evidence['downloads']>): Markup {
  const heads = ['name', 'state', 'bytes', 'URL', 'text'].map((head) => markup`<th scope="col">${head}</th>`);
  return markup`<section aria-labelledby="downloads">
<h2 id="downloads">Downloads</h2>
${downloads.captured ? wideTable('Downloads', markup`<thead><tr>${heads}</tr></thead><tbody>${downloads.value.map(download)}</tbody>`) : markup`<p class="quiet">Not known: ${downloads.why}</p>`}
</section>`;
}

function download({ name, state, bytes, url, text, text_truncated: cut }: Download): Markup {
  return markup`<tr><td>${name}</td><td>${state.replaceAll('_', ' ')}</td><td class="figure">${bytes === null ? '–' : integerText(bytes)}</td><td class="url">${bodyText(url, false)}</td><td class="url">${text === null ? '–' : bodyText(text, cut)}</td></tr>`;
}

/** @throws BundleError if the events of the attempt cannot be read */
export async function episodePage(bundle: ViewedBundle, viewed: ViewedAttempt): Promise<Document> {
  const { row } = viewed;
  const files = bundle.layout.attempt(row.episode_id, row.attempt);
  const timeline = await timelineOf(viewedEvents(files));
  const seal = await sealProblem(files.folder, viewed.sealHash);
  const { network, downloads } = await evidenceOf(bundle, row);
  const content = markup`${header(viewed, seal, await changesIn(row, bundle.layout))}
<main>
${filmSection(timeline, row, await sentRequests(bundle, row))}
${await conversationSection(timeline, bundle.blobs, addressOf(row))}
${contractSection(timeline)}
${outcomeSection(row)}
${networkSection(network)}
${downloads === undefined ? null : downloadsSection(downloads)}
${faultSection(row)}
${recordedSection(timeline, addressOf(row))}
${evidenceSection(row)}
</main>`;
  const title = `${nameOfInstance(row.task, row.instance)} · ${row.agent} · ${row.surface} · Touchstone`;
  return htmlDocument({ title, content, ...PAGE_OF_EPISODE });
}

/** Compares the files of an attempt with their seal; null if they match. */
async function sealProblem(folder: string, sealHash: string): Promise<string | null> {
  try {
    const { hash } = await readAttemptSeal(folder);
    if (hash !== sealHash) return 'seal.json differs from the seal in the ledger';
    const [problem] = await checkAttemptSeal(folder);
    return problem === undefined ? null : `${problem.file}: ${messageFor(problem.problem)}`;
  } catch (error) {
    return messageOf(error);
  }
}

type Seen = Pick<Evidence, 'network' | 'downloads'>;

/** Requests in one line, and most characters of an address. */
const SENT = { requests: 10, address: 100 };

/** Lists the requests that may have changed the app, if the agent drove the browser itself; the world saw these. Empty otherwise. */
export async function sentRequests(bundle: Pick<ViewedBundle, 'blobs'>, row: Row): Promise<string[]> {
  if (row.steps !== null) return [];
  const network = await networkOf(bundle, row);
  if (!network.captured) return [];
  const { entries, since } = network.value;
  const sent = entries.filter(
    ({ seq, method }) => seq >= since.contract_enter && !/^(?:GET|HEAD|OPTIONS)$/.test(method),
  );
  const shown = sent.slice(0, SENT.requests).map(({ method, url, status }) => {
    return `${method} ${shortened(url, SENT.address)} (${status ?? 'no answer'})`;
  });
  const left = sent.length - shown.length;
  return left === 0 ? shown : [...shown, `and ${left} more`];
}

export async function networkOf(bundle: Pick<ViewedBundle, 'blobs'>, row: Row): Promise<Evidence['network']> {
  return (await evidenceOf(bundle, row)).network;
}

async function evidenceOf({ blobs }: Pick<ViewedBundle, 'blobs'>, { artifacts }: Row): Promise<Seen> {
  const name = artifacts['evidence_end'] ?? artifacts['evidence_start'];
  if (name === undefined) return { network: missing('nothing was captured') };
  try {
    return await loadEvidence(blobs, name);
  } catch (error) {
    return { network: missing(messageOf(error)) };
  }
}

function header(viewed: ViewedAttempt, seal: string | null, changes: readonly Change[]): Markup {
  const { row, planned, attempts, before, after, nextFailed } = viewed;
  return markup`<header>
<nav aria-label="Episodes"><a href="/#episodes">All episodes</a>${neighbour('Episode before', before)}${neighbour('Episode after', after)}${neighbour('Next failure', nextFailed)}</nav>
<h1>${nameOfInstance(row.task, row.instance)} <span class="id">#${row.iteration + 1} by ${row.agent} through ${row.surface}</span></h1>
<p class="chips">${statusChip(row)}<span class="chip">${row.suite}</span><span class="chip">world: ${row.world_kind.replaceAll('_', ' ')}</span><span class="chip">mode: ${modeText(row.mode)}</span>${row.counts ? null : markup`<span class="chip warn">does not count</span>`}${seal === null ? markup`<span class="chip">files as they were sealed; no more is checked here</span>` : markup`<span class="chip warn">not as it was sealed: ${seal}</span>`}</p>
<h2 class="hidden">Goal</h2>
<blockquote class="goal">${planned === null ? markup`The plan has no such task.` : lines(planned.task.goal)}</blockquote>
${failureText(row, { isAsItMust: failedAsExpected(row), changes })}
${comparisonLinks(viewed)}
${attempts.length < 2 ? null : markup`<p>Attempts: ${attempts.map((each) => attemptLink(each, row))}</p>`}
</header>`;
}

function neighbour(name: string, other: Row | null): Markup | null {
  return other === null ? null : markup`<a href="${addressOf(other)}">${name}</a>`;
}

function attemptLink(each: Row, current: Row): Markup {
  const here = each.attempt === current.attempt ? markup` aria-current="page"` : null;
  return markup`<a href="${addressOf(each)}"${here}>${each.attempt} (${each.status})</a> `;
}

/** Most episodes of the same task that are offered for comparison. */
const MAX_COMPARED = 12;

function comparisonLinks({ row, siblings }: ViewedAttempt): Markup | null {
  if (siblings.length === 0) return null;
  const links = siblings
    .slice(0, MAX_COMPARED)
    .map(
      (each) =>
        markup`<a href="${compareAddress(row, each)}">${each.agent} through ${each.surface} #${each.iteration + 1}</a> `,
    );
  return markup`<details class="comparisons"><summary>Compare it side by side with another</summary><p>${links}</p></details>`;
}

function faultSection({ faults, recovered }: Row): Markup | null {
  if (faults.length === 0) return null;
  const heads = ['fault', 'armed', 'fired', 'cleared'].map((name) => markup`<th scope="col">${name}</th>`);
  const rows = faults.map(
    ({ kind, armed, fired, cleared }) =>
      markup`<tr><th scope="row">${kind}</th>${[armed, fired, cleared].map((is) => markup`<td>${is ? 'yes' : 'no'}</td>`)}</tr>`,
  );
  return markup`<section aria-labelledby="faults">
<h2 id="faults">Faults</h2>
<table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>
<p>${recovered === null ? 'None fired.' : recovered ? 'The entrant recovered.' : 'The entrant did not recover.'}</p>
</section>`;
}

function evidenceSection({ artifacts }: Row): Markup {
  const names = Object.entries(artifacts);
  const links = names.map(
    ([name, sha256]) => markup`<li><a href="${blobAddress(sha256)}">${name}</a> <code>${sha256}</code></li>`,
  );
  return markup`<section aria-labelledby="evidence">
<h2 id="evidence">Evidence</h2>
${names.length === 0 ? markup`<p class="quiet">It left no blobs.</p>` : markup`<p>As it was judged; a name is the SHA-256 of its bytes.</p><ul class="blobs">${links}</ul>`}
</section>`;
}

type Of<K extends TimelineMoment['kind']> = Extract<TimelineMoment, { kind: K }>;

/** Events other than calls and turns. @param address of the attempt's page */
function recordedSection({ moments, cut }: Timeline, address: string): Markup {
  const recorded = moments.filter((each) => each.kind === 'recorded' || each.kind === 'unknown');
  return markup`<section aria-labelledby="recorded">
<h2 id="recorded">What else was recorded</h2>
<details><summary>${integerText(recorded.length)} events: tools, evidence, faults and all that ended it</summary>
<ol class="moments">${recorded.map((each) => (each.kind === 'recorded' ? recordedItem(each, address) : unknownItem(each, address)))}</ol>
</details>
${traceOf(recorded)}
${cut === 0 ? null : markup`<p class="verdict no">${integerText(cut)} more moments are not shown; events.jsonl of the bundle has them.</p>`}
</section>`;
}

function traceOf(recorded: readonly TimelineMoment[]): Markup | null {
  for (const each of recorded) {
    if (each.kind !== 'recorded' || each.recorded.event.type !== 'trace' || each.recorded.event.blob === null) continue;
    return markup`<p><a href="${blobAddress(each.recorded.event.blob)}">the trace, for Playwright’s viewer</a>, with the console, errors and the DOM at each step</p>`;
  }
  return null;
}

function recordedItem({ recorded: { line, at, event } }: Of<'recorded'>, address: string): Markup {
  const text = 'text' in event ? event.text : '';
  const label = event.type === 'tools' ? 'Tools' : `Event ${line}`;
  const whole = { whole: bodyAt(address, line), label };
  const more = event.type === 'tools' ? foldedText('What the tools say of themselves', whole) : null;
  return markup`<li class="moment recorded"><p><span class="quiet">${whenOf(at).join(' ')}</span> ${lines(eventText(event))}</p>
${text === '' ? more : foldedLongText(text, whole)}</li>`;
}

function unknownItem({ unknown: { line, at, event } }: Of<'unknown'>, address: string): Markup {
  const whole = { whole: bodyAt(address, line), label: `Event ${line}` };
  return markup`<li class="moment recorded"><p><span class="quiet">${whenOf(at).join(' ')}</span> an event that this version does not know:</p>
${foldedLongText(JSON.stringify(event), whole)}</li>`;
}

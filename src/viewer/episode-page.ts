import { loadEvidence } from '../bundle/evidence-file.ts';
import type { Row } from '../bundle/row.ts';
import { checkAttemptSeal, readAttemptSeal } from '../bundle/seal.ts';
import { messageOf } from '../contract/message-of.ts';
import { missing, type Evidence } from '../contract/evidence.ts';
import { endedAsItMust } from '../report/as-it-must.ts';
import { type Document, htmlDocument } from '../report/html/document.ts';
import { failureText } from '../report/html/failure-gallery.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import { nameOfInstance } from '../task/instance.ts';
import { conversationSection } from './conversation.ts';
import { contractSection } from './contract-section.ts';
import { PAGE_OF_EPISODE, statusChip, failureOf } from './episode-head.ts';
import { filmSection } from './film.ts';
import { lines } from './folded.ts';
import { networkSection } from './network-section.ts';
import { outcomeSection } from './outcome-section.ts';
import { recordedSection } from './recorded-list.ts';
import { timelineOf } from './timeline.ts';
import { addressOf, blobAddress, compareAddress, type ViewedAttempt, type ViewedBundle } from './viewed-bundle.ts';
import { viewedEvents } from './viewed-event.ts';

/**
 * The page of one attempt of one episode: all that the bundle holds of it.
 * @throws BundleError when its events cannot be read.
 */
export async function episodePage(bundle: ViewedBundle, viewed: ViewedAttempt): Promise<Document> {
  const { row } = viewed;
  const files = bundle.layout.attempt(row.episode_id, row.attempt);
  const timeline = await timelineOf(viewedEvents(files));
  const seal = await sealProblem(files.folder, viewed.sealHash);
  const content = markup`${header(viewed, seal)}
<main>
${filmSection(timeline, row)}
${await conversationSection(timeline, bundle.blobs, addressOf(row))}
${contractSection(timeline)}
${outcomeSection(row)}
${networkSection(await networkOf(bundle, row))}
${faultSection(row)}
${recordedSection(timeline, addressOf(row))}
${evidenceSection(row)}
</main>`;
  const title = `${nameOfInstance(row.task, row.instance)} · ${row.agent} · ${row.surface} · Touchstone`;
  return htmlDocument({ title, content, ...PAGE_OF_EPISODE });
}

/** Why the files of an attempt are not those that were sealed; null when they are. */
async function sealProblem(folder: string, sealHash: string): Promise<string | null> {
  try {
    const { hash } = await readAttemptSeal(folder);
    if (hash !== sealHash) return 'seal.json is not the one that the ledger has';
    const [problem] = await checkAttemptSeal(folder);
    return problem === undefined ? null : `${problem.file}: ${problem.problem}`;
  } catch (error) {
    return messageOf(error);
  }
}

async function networkOf({ blobs }: ViewedBundle, { artifacts }: Row): Promise<Evidence['network']> {
  const name = artifacts['evidence_end'] ?? artifacts['evidence_start'];
  if (name === undefined) return missing('nothing was captured');
  try {
    return (await loadEvidence(blobs, name)).network;
  } catch (error) {
    return missing(messageOf(error));
  }
}

function header(viewed: ViewedAttempt, seal: string | null): Markup {
  const { row, planned, attempts, before, after } = viewed;
  return markup`<header>
<nav aria-label="Episodes"><a href="/#episodes">All episodes</a>${neighbour('Episode before', before)}${neighbour('Episode after', after)}</nav>
<h1>${nameOfInstance(row.task, row.instance)} <span class="id">#${row.iteration + 1} by ${row.agent} through ${row.surface}</span></h1>
<p class="chips">${statusChip(row)}<span class="chip">${row.suite}</span><span class="chip">world: ${row.world_kind.replaceAll('_', ' ')}</span><span class="chip">mode: ${row.mode}</span>${row.counts ? null : markup`<span class="chip warn">does not count</span>`}${seal === null ? markup`<span class="chip">files as they were sealed; no more is checked here</span>` : markup`<span class="chip warn">not as it was sealed: ${seal}</span>`}</p>
<h2 class="hidden">Goal</h2>
<blockquote class="goal">${planned === null ? markup`The plan has no such task.` : lines(planned.task.goal)}</blockquote>
${failureText(failureOf(row), endedAsItMust(row))}
${besideLinks(viewed)}
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

/** Most episodes of the same task that one can be laid beside. */
const MOST_BESIDE = 12;

function besideLinks({ row, alike }: ViewedAttempt): Markup | null {
  if (alike.length === 0) return null;
  const links = alike
    .slice(0, MOST_BESIDE)
    .map(
      (each) =>
        markup`<a href="${compareAddress(row, each)}">${each.agent} through ${each.surface} #${each.iteration + 1}</a> `,
    );
  return markup`<details class="besides"><summary>Lay it side by side with another</summary><p>${links}</p></details>`;
}

function faultSection({ faults, recovered }: Row): Markup | null {
  if (faults.length === 0) return null;
  const heads = ['fault', 'armed', 'fired', 'cleared'].map((name) => markup`<th scope="col">${name}</th>`);
  const rows = faults.map(
    ({ kind, armed, fired, cleared }) =>
      markup`<tr><th scope="row">${kind}</th><td>${yes(armed)}</td><td>${yes(fired)}</td><td>${yes(cleared)}</td></tr>`,
  );
  return markup`<section aria-labelledby="faults">
<h2 id="faults">Faults</h2>
<table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>
<p>${recovered === null ? 'None fired.' : recovered ? 'The entrant recovered.' : 'The entrant did not recover.'}</p>
</section>`;
}

function yes(is: boolean): string {
  return is ? 'yes' : 'no';
}

/** All blobs of the attempt, as they are. */
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

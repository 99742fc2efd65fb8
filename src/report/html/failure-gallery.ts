import { nameOfInstance } from '../../task/instance.ts';
import { counted } from '../numbers.ts';
import type { EpisodeLine } from '../counted-rows.ts';
import { failureOf } from '../failure.ts';
import { type FailureGroup, failureGroups } from '../failure-groups.ts';
import type { Report } from '../report.ts';
import { blameText, type Change, type StateChanges } from '../sentence.ts';
import { type Markup, markup } from './markup.ts';
import { episodeHref, type Links } from './document.ts';
import type { BlobSource } from '../../bundle/blobs.ts';
import { BundleError } from '../../bundle/errors.ts';

/** Draws failures by reason with their last pictures; or null. */
export function failureGallery(report: Report, links: Links, changes: StateChanges): Markup | null {
  const groups = failureGroups(report);
  if (groups.length === 0) return null;
  return markup`<section aria-labelledby="failures">
<h2 id="failures">Why they failed</h2>
${groups.map((group) => drawGroup(group, links, changes))}
</section>`;
}

function drawGroup({ reason, count, shown, repeats }: FailureGroup, links: Links, changes: StateChanges): Markup {
  const rest = count - [...repeats.values()].reduce((sum, each) => sum + each.count, 0);
  return markup`<h3>${reason} <span class="quiet">${counted(count, 'episode')}</span></h3>
<ul class="gallery">${shown.map((each) => card(each, repeats.get(each.episode_id), links, changes.get(each.episode_id)))}</ul>
${rest === 0 ? null : markup`<p class="quiet"><a href="#episodes">${rest} more</a> in the index below.</p>`}`;
}

function card(
  line: EpisodeLine,
  repeats: { count: number; of: number } | undefined,
  links: Links,
  changes: readonly Change[] | undefined,
): Markup {
  const source = line.picture === undefined ? null : links.pictureOf(line.picture);
  const faults = line.faults?.map(({ kind }) => ` with ${kind}`).join('') ?? '';
  const isRepeated = repeats !== undefined && repeats.of > 1;
  const name = `${nameOfInstance(line.task, line.instance)}${isRepeated ? '' : ` #${line.iteration + 1}`}${faults}`;
  const times = isRepeated
    ? markup`<span class="quiet"> · ${repeats.count} of ${repeats.of} for the same reason</span>`
    : null;
  const picture =
    source === null
      ? markup`<span class="nopicture">no picture</span>`
      : markup`<img src="${source}" alt="Last picture of ${name}, ${line.agent} through ${line.surface}" loading="lazy"${line.picture === undefined ? null : markup` data-picture="${line.picture}"`}>`;
  return markup`<li><a href="${episodeHref(line, links)}">${picture}<span class="name">${name}</span></a> <span class="quiet">${line.agent} through ${line.surface}</span>${times}
${failureText(line, { changes })}</li>`;
}

/** The sentence, and what was expected next to what was observed. `isAsItMust`: a control failed, as it has to. */
export function failureText(
  line: Parameters<typeof failureOf>[0],
  { isAsItMust = false, changes }: { isAsItMust?: boolean; changes?: readonly Change[] | undefined } = {},
): Markup | null {
  const clause = failureOf(line)?.clause;
  if (clause === undefined) return null;
  return markup`<p class="because${isAsItMust ? ' expected' : ''}">${blameText(line, changes)}</p>
${clause === null ? null : markup`<dl class="compared"><div><dt>expected</dt><dd>${clause.expected}</dd></div><div><dt>observed</dt><dd>${clause.observed}</dd></div></dl>`}`;
}

/** Most bytes of all pictures in one page, before Base64. */
const MAX_BYTES = 1_500_000;

/** Addresses of pictures by blob, and their size. */
export interface Pictures {
  sources: ReadonlyMap<string, string>;
  bytes: number;
}

export const NO_PICTURES: Pictures = { sources: new Map(), bytes: 0 };

/** Reads the pictures of the failures that a report shows, as far as they fit and can be read. */
export async function picturesIn(report: Report, blobs: BlobSource): Promise<Pictures> {
  const sources = new Map<string, string>();
  let bytes = 0;
  for (const { picture } of failureGroups(report).flatMap(({ shown }) => shown)) {
    if (picture === undefined || sources.has(picture)) continue;
    const read = await readOrNull(blobs, picture);
    const type = read === null ? null : pictureType(read);
    if (read === null || type === null || bytes + read.length > MAX_BYTES) continue;
    bytes += read.length;
    sources.set(picture, `data:${type};base64,${read.toString('base64')}`);
  }
  return { sources, bytes };
}

async function readOrNull(blobs: BlobSource, sha256: string): Promise<Buffer | null> {
  try {
    return await blobs.get(sha256);
  } catch (error) {
    if (error instanceof BundleError) return null;
    throw error;
  }
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');

export function pictureType(bytes: Buffer): 'image/png' | 'image/jpeg' | null {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  return bytes.subarray(0, JPEG.length).equals(JPEG) ? 'image/jpeg' : null;
}

import type { Row } from '../bundle/row.ts';
import { counted, secondsText } from '../report/numbers.ts';
import { type Document, htmlDocument } from '../report/html/document.ts';
import { failureText } from '../report/html/failure-gallery.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import type { Change } from '../report/sentence.ts';
import { shortened } from '../messages/printable.ts';
import type { Evidence } from '../contract/evidence.ts';
import { networkOf } from './episode-page.ts';
import { nameOfInstance } from '../task/instance.ts';
import { PAGE_OF_EPISODE, statusChip } from './outcome-section.ts';
import { picture, pictureAfter, shortArguments } from './film.ts';
import { callText, elementText } from './listed-elements.ts';
import { replyChip, replyWord, type StepMoment, timelineOf, type Timeline, type TimelineMoment } from './timeline.ts';
import { changesIn } from './state-changes.ts';
import { addressOf, type ViewedBundle } from './viewed-bundle.ts';
import { viewedEvents } from './event-words.ts';
import { failedAsExpected } from '../report/roles.ts';

const MAX_STEPS = 200;
const MAX_CHARACTERS = 60;

/** A bundle, and the origin of its viewer unless it is this one. */
export interface ViewedSide {
  bundle: ViewedBundle;
  origin?: string;
}

/** Something that an episode did. */
interface Act {
  /** Compared with the acts of the other episode. */
  did: string;
  outcome: string;
  drawn: Markup;
}

type Attempt = ViewedSide & { row: Row };

interface Side {
  row: Row;
  /** The address of the page of the episode, and the bundle's name if there are two. */
  address: string;
  name: string | null;
  timeline: Timeline;
  changes: Change[];
  /** Its calls, or else what its agent reported. */
  acts: Act[];
  kind: 'step' | 'reported step' | 'request';
}

/** @throws BundleError if the events of an attempt cannot be read */
export async function comparePage(attempts: readonly [Attempt, Attempt]): Promise<Document> {
  const isSameSurface = attempts[0].row.surface === attempts[1].row.surface;
  const [before, after] = await sidesOf(attempts, isSameSurface);
  const sides = [before, after];
  const pairs = aligned(before.acts.slice(0, MAX_STEPS), after.acts.slice(0, MAX_STEPS));
  const parting = pairs.findIndex(([one, other]) => one?.did !== other?.did || one?.outcome !== other?.outcome);
  const counts = [0, 0];
  const steps = pairs.map((pair, at) => {
    const numbers = pair.map((act, side) => (act === null ? '–' : (counts[side] = (counts[side] ?? 0) + 1)));
    const differs = at === parting ? markup` <span class="word inconclusive" id="differs">differs</span>` : null;
    return markup`<tr><th scope="row">${[...new Set(numbers)].join(' / ')}${differs}</th>${pair.map((act) => act?.drawn ?? markup`<td class="quiet">–</td>`)}</tr>`;
  });
  const names = [...new Set(sides.map(({ row }) => nameOfInstance(row.task, row.instance)))].join(' and ');
  const content = markup`<header><nav aria-label="Episodes"><a href="/#episodes">All episodes</a>${parting === -1 ? null : markup`<a href="#differs">First difference</a>`}</nav>
<h1>${names} side by side</h1>${notMeasured(sides)}</header>
<main><div class="wide" role="region" aria-label="Two episodes, step by step" tabindex="0"><table class="sides">
<thead><tr><th scope="col">step</th>${sides.map(head)}</tr></thead>
<tbody>${edge('start', sides)}${steps}${edge('end', sides)}</tbody>
</table></div></main>`;
  return htmlDocument({ title: `${names} side by side · Touchstone`, content, ...PAGE_OF_EPISODE });
}

function notMeasured(sides: readonly Side[]): Markup | null {
  const kinds = new Set(sides.map(({ kind }) => kind));
  if (kinds.has('request'))
    return markup`<p class="quiet">Neither agent has reported steps: these are requests, as the world saw them.</p>`;
  return kinds.has('reported step') ? markup`<p class="quiet">Reported steps were not measured.</p>` : null;
}

/** Falls back on requests if neither side has steps. */
async function sidesOf(attempts: readonly [Attempt, Attempt], isSameSurface: boolean): Promise<[Side, Side]> {
  const [first, second] = [await sideOf(attempts[0], isSameSurface), await sideOf(attempts[1], isSameSurface)];
  if (first.acts.length + second.acts.length > 0) return [first, second];
  const requested = async (side: Side, { bundle, row }: Attempt): Promise<Side> => {
    return { ...side, kind: 'request', acts: requestsIn(await networkOf(bundle, row)) };
  };
  return [await requested(first, attempts[0]), await requested(second, attempts[1])];
}

async function sideOf({ bundle, origin, row }: Attempt, isSameSurface: boolean): Promise<Side> {
  const timeline = await timelineOf(viewedEvents(bundle.layout.attempt(row.episode_id, row.attempt)));
  const name = origin === undefined ? null : bundle.layout.name;
  const address = `${origin ?? ''}${addressOf(row)}`;
  const changes = await changesIn(row, bundle.layout);
  const steps = timeline.moments.filter((each) => each.kind === 'step');
  const own = { row, address, name, timeline, changes };
  if (steps.length === 0) return { ...own, kind: 'reported step', acts: timeline.moments.flatMap(reportedIn) };
  return { ...own, kind: 'step', acts: steps.map((step) => actOf(step, timeline, isSameSurface)) };
}

/** Tools of two surfaces have other names and arguments, so that only what they did to which element is compared. */
function actOf(step: StepMoment, timeline: Timeline, isSameSurface: boolean): Act {
  const { call, named, result } = step;
  const did = isSameSurface ? callText(call.event, named) : named.map(elementText).join(' ');
  const drawn = markup`<td><code>${call.event.tool}</code> ${shortArguments(step)} ${replyChip(step)} <span class="quiet">${secondsText(result?.event.tool_ms ?? null) ?? ''}</span>${picture(pictureAfter(step, timeline), `after step ${call.event.step}`)}</td>`;
  return { did, outcome: replyWord(step), drawn };
}

function reportedIn(moment: TimelineMoment): Act[] {
  if (moment.kind !== 'recorded' || moment.recorded.event.type !== 'reported_step') return [];
  const { event } = moment.recorded;
  const word = event.ok ? 'ok' : 'error';
  const drawn = markup`<td><code>${event.tool}</code> ${shortened(JSON.stringify(event.args), MAX_CHARACTERS)} <span class="word ${event.ok ? 'pass' : 'fail'}">${word}</span></td>`;
  return [{ did: callText(event, []), outcome: word, drawn }];
}

/** The requests since the episode began, without the origin, since ports change. */
function requestsIn(network: Evidence['network']): Act[] {
  if (!network.captured) return [];
  const { entries, since } = network.value;
  return entries
    .filter(({ seq }) => seq >= since.contract_enter)
    .map(({ method, url, status, request_body: body }) => {
      const said = [url, ...(body === null ? [] : [body])].join(' ');
      const drawn = markup`<td class="url"><code>${method}</code> ${shortened(said, MAX_CHARACTERS)} <span class="quiet">${status ?? 'no answer'}</span></td>`;
      return { did: `${method} ${said}`, outcome: String(status), drawn };
    });
}

type Aligned = [Act | null, Act | null];

/** Pairs the acts of the longest common sequence, and those between them in order. */
function aligned(one: readonly Act[], other: readonly Act[]): Aligned[] {
  const common = new Map<number, number>();
  const at = (i: number, j: number): number => common.get(i * (other.length + 1) + j) ?? 0;
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1) {
      const longest = one[i]?.did === other[j]?.did ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      common.set(i * (other.length + 1) + j, longest);
    }
  }
  const pairs: Aligned[] = [];
  const apart: [Act[], Act[]] = [[], []];
  const flush = (): void => {
    const [left, right] = [apart[0].splice(0), apart[1].splice(0)];
    for (let k = 0; k < Math.max(left.length, right.length); k += 1) pairs.push([left[k] ?? null, right[k] ?? null]);
  };
  let [i, j] = [0, 0];
  for (
    let left = one[0], right = other[0];
    left !== undefined && right !== undefined;
    left = one[i], right = other[j]
  ) {
    if (left.did === right.did) {
      flush();
      pairs.push([left, right]);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) {
      apart[0].push(left);
      i += 1;
    } else {
      apart[1].push(right);
      j += 1;
    }
  }
  apart[0].push(...one.slice(i));
  apart[1].push(...other.slice(j));
  flush();
  return pairs;
}

function head({ row, acts, kind, address, name, changes }: Side): Markup {
  return markup`<th scope="col">${name === null ? null : markup`<code>${name}</code> `}<a href="${address}">${nameOfInstance(row.task, row.instance)} #${row.iteration + 1}</a> <span class="quiet">${row.agent} through ${row.surface}</span> ${statusChip(row)} <span class="quiet">${counted(acts.length, kind)}, ${secondsText(row.wall_ms) ?? 'no time'}</span>${failureText(row, { isAsItMust: failedAsExpected(row), changes })}</th>`;
}

function edge(moment: 'start' | 'end', sides: readonly Side[]): Markup {
  const cells = sides.map(
    ({ row }) => markup`<td>${picture(row.artifacts[`screenshot_${moment}`], `at the ${moment}`)}</td>`,
  );
  return markup`<tr><th scope="row">${moment}</th>${cells}</tr>`;
}

import type { Row } from '../bundle/row.ts';
import { counted, secondsText } from '../report/numbers.ts';
import { type Document, htmlDocument } from '../report/html/document.ts';
import { failureText } from '../report/html/failure-gallery.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import type { Change } from '../report/sentence.ts';
import { nameOfInstance } from '../task/instance.ts';
import { PAGE_OF_EPISODE, statusChip } from './outcome-section.ts';
import { picture, pictureAfter, shortArguments } from './film.ts';
import { callText, elementText } from './listed-elements.ts';
import { replyChip, replyWord, type StepMoment, timelineOf, type Timeline } from './timeline.ts';
import { changesIn } from './state-changes.ts';
import { addressOf, type ViewedBundle } from './viewed-bundle.ts';
import { viewedEvents } from './event-words.ts';
import { failedAsExpected } from '../report/roles.ts';

const MOST_STEPS = 200;

/** A bundle, and the origin of its viewer unless it is this one. */
export interface ViewedSide {
  bundle: ViewedBundle;
  origin?: string;
}

interface Side {
  row: Row;
  /** The address of the page of the episode, and the bundle's name if there are two. */
  address: string;
  name: string | null;
  timeline: Timeline;
  steps: StepMoment[];
  changes: Change[];
}

/** @throws BundleError if the events of an attempt cannot be read */
export async function comparePage(attempts: readonly (ViewedSide & { row: Row })[]): Promise<Document> {
  const sides = await Promise.all(attempts.map(sideOf));
  const count = Math.min(MOST_STEPS, Math.max(0, ...sides.map(({ steps }) => steps.length)));
  const parting = Array.from({ length: count }, (_, at) => at).find((at) => differsAt(at, sides));
  const steps = Array.from(
    { length: count },
    (_, at) =>
      markup`<tr><th scope="row">${at + 1}${at === parting ? markup` <span class="word inconclusive">differs</span>` : null}</th>${sides.map((side) => cell(side, at))}</tr>`,
  );
  const content = markup`<header><nav aria-label="Episodes"><a href="/#episodes">All episodes</a></nav>
<h1>Side by side</h1></header>
<main><div class="wide" role="region" aria-label="Two episodes, step by step" tabindex="0"><table class="sides">
<thead><tr><th scope="col">step</th>${sides.map(head)}</tr></thead>
<tbody>${edge('start', sides)}${steps}${edge('end', sides)}</tbody>
</table></div></main>`;
  return htmlDocument({ title: 'Side by side · Touchstone', content, ...PAGE_OF_EPISODE });
}

async function sideOf({ bundle, origin, row }: ViewedSide & { row: Row }): Promise<Side> {
  const timeline = await timelineOf(viewedEvents(bundle.layout.attempt(row.episode_id, row.attempt)));
  const name = origin === undefined ? null : bundle.layout.name;
  const address = `${origin ?? ''}${addressOf(row)}`;
  const changes = await changesIn(row, bundle.layout);
  return { row, address, name, timeline, changes, steps: timeline.moments.filter((each) => each.kind === 'step') };
}

/** Tools of two surfaces have other names and arguments, so that only what they did to which element is compared. */
function differsAt(at: number, sides: readonly Side[]): boolean {
  const isSameSurface = new Set(sides.map(({ row }) => row.surface)).size === 1;
  const done = sides.map(({ steps }) => {
    const step = steps[at];
    if (step === undefined) return null;
    const { call, named } = step;
    return [replyWord(step), ...(isSameSurface ? [callText(call.event, named)] : named.map(elementText))].join(' ');
  });
  return new Set(done).size > 1;
}

function head({ row, steps, address, name, changes }: Side): Markup {
  return markup`<th scope="col">${name === null ? null : markup`<code>${name}</code> `}<a href="${address}">${nameOfInstance(row.task, row.instance)} #${row.iteration + 1}</a> <span class="quiet">${row.agent} through ${row.surface}</span> ${statusChip(row)} <span class="quiet">${counted(steps.length, 'step')}, ${secondsText(row.wall_ms) ?? 'no time'}</span>${failureText(row, { isAsItMust: failedAsExpected(row), changes })}</th>`;
}

function edge(moment: 'start' | 'end', sides: readonly Side[]): Markup {
  const cells = sides.map(
    ({ row }) => markup`<td>${picture(row.artifacts[`screenshot_${moment}`], `at the ${moment}`)}</td>`,
  );
  return markup`<tr><th scope="row">${moment}</th>${cells}</tr>`;
}

function cell({ steps, timeline }: Side, at: number): Markup {
  const step = steps[at];
  if (step === undefined) return markup`<td class="quiet">–</td>`;
  const { call, result } = step;
  return markup`<td><code>${call.event.tool}</code> ${shortArguments(step)} ${replyChip(step)} <span class="quiet">${secondsText(result?.event.tool_ms ?? null) ?? ''}</span>${picture(pictureAfter(step, timeline), `after step ${call.event.step}`)}</td>`;
}

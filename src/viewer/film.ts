import { counted, integerText, secondsText } from '../report/numbers.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import type { Row } from '../bundle/row.ts';
import { shortened } from '../messages/printable.ts';
import { shellWord } from '../report/shell-word.ts';
import { nameOfInstance } from '../task/instance.ts';
import { eventText } from './event-words.ts';
import { lines } from './conversation.ts';
import { elementText, otherArguments } from './listed-elements.ts';
import { stepDetails } from './step-details.ts';
import { timelineStrip, type TimelineMoment, type Timeline } from './timeline.ts';
import { addressOf, blobAddress } from './viewed-bundle.ts';

type Step = Extract<TimelineMoment, { kind: 'step' }>;

/** Most characters of arguments in the list of steps. */
const SHORT = 60;

/** Draws the steps of an episode as a list with the chosen step and its picture next to it; without a script, all steps. */
export function filmSection(timeline: Timeline, row: Row): Markup {
  const steps = timeline.moments.filter((each) => each.kind === 'step');
  const { screenshot_start: start, screenshot_end: end } = row.artifacts;
  const after = steps.map((step, at) => pictureAfter(step, timeline) ?? (at === steps.length - 1 ? end : undefined));
  return markup`<section aria-labelledby="steps" class="film">
<h2 id="steps">Steps</h2>
<p class="quiet">${countsOf(steps, row)}${steps.length < 2 ? '' : ' The keys Left and Right lead from step to step; in the list, Up and Down do, too.'}</p>
${timelineStrip(timeline)}
<div class="reel">
<ol class="list" start="0"><li><a href="#step-start">Start</a></li>${steps.map(entry)}<li><a href="#step-end">End: ${row.status}</a></li></ol>
<div class="stage">
${scene('step-start', 'Start', picture(start, 'at the start') ?? NO_PICTURE, null)}
${steps.map((step, at) => stepScene(step, { before: at === 0 ? start : after[at - 1], after: after[at] }, timeline, row))}
${scene('step-end', `End: ${row.status}`, picture(end, 'at the end') ?? NO_PICTURE, null)}
</div>
</div>
${reportedSteps(timeline)}
</section>`;
}

/** The steps that an agent which drives the browser itself reports. */
function reportedSteps({ moments }: Timeline): Markup | null {
  const said = moments.flatMap((each) =>
    each.kind === 'recorded' && each.recorded.event.type === 'reported_step' ? [eventText(each.recorded.event)] : [],
  );
  if (said.length === 0) return null;
  return markup`<p>The agent drove the browser itself. Its own word on its steps, which nobody measured:</p>
<ul class="reported">${said.map((each) => markup`<li>${lines(each)}</li>`)}</ul>`;
}

/** By blob. */
interface Pictures {
  before: string | undefined;
  after: string | undefined;
}

/** Marks where the mouse was pressed on the picture before the step. */
function stepScene(step: Step, { before, after }: Pictures, { pictures }: Timeline, row: Row): Markup {
  const { step: number, tool } = step.call.event;
  const taken = pictures.get(number);
  const own = picture(after, `after step ${number}`) ?? (row.steps === null ? NO_PICTURE : withoutFilm(row));
  const shown =
    before === undefined || taken === undefined || taken.press === null
      ? own
      : markup`<div class="pair"><figure>${picture(before, `before step ${number}`, { ...taken, ...taken.press })}<figcaption>before, and where it was pressed</figcaption></figure><figure>${own}<figcaption>after</figcaption></figure></div>`;
  return scene(`step-${number}`, `Step ${number}: ${tool}`, shown, stepDetails(step, addressOf(row)));
}

function scene(id: string, name: string, shown: Markup, details: Markup | null): Markup {
  return markup`<article class="scene" id="${id}" aria-label="${name}">${shown}
${details}</article>`;
}

const NO_PICTURE = markup`<p class="quiet">No picture was taken here.</p>`;

/** Explains how to get pictures of steps. Strangers may have chosen the names in the command. */
function withoutFilm({ suite, task, instance, agent, surface }: Row): Markup {
  const named = ['run', suite, '--task', nameOfInstance(task, instance), '--agent', agent, '--surface', surface];
  return markup`<p class="quiet">No picture was taken here: only a run with <code>--film</code> takes one after each step. Run it so: <code>npm run touchstone -- ${[...named, '--film'].map(shellWord).join(' ')}</code></p>`;
}

/** The values of arguments in one line; elements by role and name if known, with their references at the end. */
export function shortArguments({ call, named }: Step): Markup {
  const text = Object.values(otherArguments(call.event.args, named))
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    .join(' ');
  const others = shortened(text, SHORT);
  const refs = named.map(({ ref }) => markup` <span class="ref">${ref}</span>`);
  return markup`${[...named.map(elementText), others].filter((part) => part !== '').join(' ')}${refs}`;
}

function entry(moment: Step): Markup {
  const { call, result } = moment;
  const { step, tool } = call.event;
  const how = result === null ? 'no reply' : result.event.ok ? 'ok' : 'error';
  return markup`<li class="${how === 'ok' ? 'ok' : 'lost'}"><a href="#step-${step}"><span class="number">${step}</span> <code>${tool}</code> <span class="args">${shortArguments(moment)}</span> <span class="took">${how === 'ok' ? (secondsText(result?.event.tool_ms ?? null) ?? '') : how}</span></a></li>`;
}

/** The picture taken after a step, or the one in its reply. */
export function pictureAfter({ call, result }: Step, { pictures }: Timeline): string | undefined {
  return pictures.get(call.event.step)?.blob ?? result?.event.image_blob;
}

/** A place on a picture, in CSS pixels. */
interface Mark {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A picture that loads lazily and links to its full size. */
export function picture(sha256: string | undefined, name: string, mark: Mark | null = null): Markup | null {
  if (sha256 === undefined) return null;
  const drawn =
    mark === null
      ? null
      : markup`<svg class="mark" viewBox="0 0 ${mark.width} ${mark.height}" aria-hidden="true"><circle cx="${mark.x}" cy="${mark.y}" r="24"/></svg>`;
  return markup`<a class="picture" href="${blobAddress(sha256)}"><img src="${blobAddress(sha256)}" alt="Screenshot, ${name}" loading="lazy">${drawn}</a>`;
}

/** For an episode without calls. */
function noCallText({ self_reported: said }: Row): string {
  if (said === null) return 'No tool was called';
  return `${counted(said.steps, 'step')} reported by the agent, none measured`;
}

function countsOf(steps: readonly Step[], row: Row): string {
  const errors = steps.filter(({ result }) => result?.event.ok !== true).length;
  return [
    steps.length === 0 ? noCallText(row) : counted(steps.length, 'tool call'),
    ...(errors === 0 ? [] : [`${errors} with an error`]),
    ...(row.turns === null ? [] : [counted(row.turns, 'model call')]),
    ...(row.tokens_in === null ? [] : [`${integerText(row.tokens_in + (row.tokens_out ?? 0))} tokens`]),
    ...(row.faults.length === 0 ? [] : [`faults: ${row.faults.map(({ kind }) => kind).join(', ')}`]),
    ...(row.wall_ms === null ? [] : [`${secondsText(row.wall_ms) ?? ''} from start to end`]),
  ]
    .join(', ')
    .concat('.');
}

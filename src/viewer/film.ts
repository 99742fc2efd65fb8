import { counted, integerText, secondsText } from '../report/numbers.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import type { Row } from '../bundle/row.ts';
import { shortened } from '../messages/printable.ts';
import { runCommand } from '../report/html/command-section.ts';
import { targetClass } from '../task/target.ts';
import { eventText } from './event-words.ts';
import { bodyAt, foldedLongText, foldedText, lines, whenOf } from './conversation.ts';
import { amongText, elementText, type ListedElement, otherArguments } from './listed-elements.ts';
import { replyChip, replyWord, type StepMoment, timelineStrip, type Timeline } from './timeline.ts';
import { addressOf, blobAddress } from './viewed-bundle.ts';

type Result = NonNullable<StepMoment['result']>;

/** Most characters of arguments in the list of steps. */
const SHORT = 60;

/**
 * Draws the steps of an episode as a list with the chosen step and its picture next to it; without a script, all steps.
 * @param sent requests that may have changed the app, if its calls were not seen
 */
export function filmSection(timeline: Timeline, row: Row, sent: readonly string[] = []): Markup {
  const steps = timeline.moments.filter((each) => each.kind === 'step');
  const { screenshot_start: start, screenshot_end: end } = row.artifacts;
  const after = steps.map((step, at) => pictureAfter(step, timeline) ?? (at === steps.length - 1 ? end : undefined));
  return markup`<section aria-labelledby="steps" class="film">
<h2 id="steps">Steps</h2>
<p class="quiet">${countsOf(steps, row)}${steps.length < 2 ? '' : ' The keys Left and Right lead from step to step; in the list, Up and Down do, too.'}</p>
${timelineStrip(timeline)}
<div class="reel">
<div><ol class="list" start="0"><li><a href="#step-start">Start</a></li>${steps.map(entry)}<li><a href="#step-end">End: ${row.status}</a></li></ol>
${reportedSteps(timeline)}
${sent.length === 0 ? null : markup`<p class="quiet">${SENT}</p>\n<ul class="reported">${sent.map((each) => markup`<li><code>${each}</code></li>`)}</ul>`}</div>
<div class="stage">
${scene('step-start', 'Start', picture(start, 'at the start') ?? NO_PICTURE, null)}
${steps.map((step, at) => stepScene(step, { before: at === 0 ? start : after[at - 1], after: after[at] }, timeline, row))}
${scene('step-end', `End: ${row.status}`, picture(end, 'at the end') ?? NO_PICTURE, null)}
</div>
</div>
</section>`;
}

const SENT = markup`Its requests other than <code>GET</code>, as the world saw them (<a href="#network">all requests</a>):`;

/** The steps that an agent which drives the browser itself reports. */
function reportedSteps({ moments }: Timeline): Markup | null {
  const reported = moments.flatMap((each) =>
    each.kind === 'recorded' && each.recorded.event.type === 'reported_step' ? [eventText(each.recorded.event)] : [],
  );
  if (reported.length === 0) return null;
  return markup`<p class="quiet">The agent drove the browser itself, and reported these steps, which were not measured:</p>
<ul class="reported">${reported.map((each) => markup`<li>${lines(each)}</li>`)}</ul>`;
}

/** The blobs of the pictures around a step. */
interface Pictures {
  before: string | undefined;
  after: string | undefined;
}

/** Marks where the mouse was pressed on the picture before the step. */
function stepScene(step: StepMoment, { before, after }: Pictures, { pictures }: Timeline, row: Row): Markup {
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

/** Explains how to get pictures of steps. */
function withoutFilm(row: Row): Markup {
  return markup`<p class="quiet">No picture was taken here: only a run with <code>--film</code> takes one after each step: <code>${runCommand(row, '--film')}</code></p>`;
}

/** The values of arguments in one line; elements by role and name if known, with their references at the end. */
export function shortArguments({ call, named }: StepMoment): Markup {
  const text = Object.values(otherArguments(call.event.args, named))
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    .join(' ');
  const others = shortened(text, SHORT);
  const refs = named.map(({ ref }) => markup` <span class="ref">${ref}</span>`);
  return markup`${[...named.map(elementText), others].filter((part) => part !== '').join(' ')}${refs}`;
}

function entry(moment: StepMoment): Markup {
  const { call, result } = moment;
  const { step, tool } = call.event;
  const outcome = replyWord(moment);
  return markup`<li class="${outcome === 'ok' ? 'ok' : 'lost'}"><a href="#step-${step}"><span class="number">${step}</span> <code>${tool}</code> <span class="args">${shortArguments(moment)}</span> <span class="took">${outcome === 'ok' ? (secondsText(result?.event.tool_ms ?? null) ?? '') : outcome}</span></a></li>`;
}

/** The picture taken after a step, or the one in its reply. */
export function pictureAfter({ call, result }: StepMoment, { pictures }: Timeline): string | undefined {
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
function noCallText({ self_reported: reported }: Row): string {
  if (reported === null) return 'No tool was called';
  return `${counted(reported.steps, 'step')} reported by the agent, none measured`;
}

function countsOf(steps: readonly StepMoment[], row: Row): string {
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

/** Longest unfolded reply, in characters. */
const SHORT_REPLY = 200;

/** Draws the arguments, the target and the reply of a call. */
function stepDetails(moment: StepMoment, address: string): Markup {
  const { call, result, named } = moment;
  const { step, tool, args, args_blob: long } = call.event;
  const from = { whole: bodyAt(address, call.line), label: `Arguments of step ${step}` };
  const given = long === null ? foldedLongText(JSON.stringify(args), from) : foldedText('Show the arguments', from);
  const facts =
    result === null
      ? []
      : [
          `took ${secondsText(result.event.tool_ms) ?? ''}`,
          `replied ${integerText(result.event.bytes)} bytes of the kind “${result.event.kind}”`,
        ];
  return markup`<h3>Step ${step} <code>${tool}</code> ${replyChip(moment)}${result === null ? null : targetChip(result)}</h3>
${named.map(elementLine)}<p class="quiet">${[...whenOf(call.at), ...facts].join(' · ')}</p>
<h4>Arguments</h4>${given}
${result === null ? null : replyOf(result, address)}`;
}

/** Explains which element a reference in the call means. */
function elementLine(element: ListedElement): Markup {
  const { ref, argument, listedIn } = element;
  return markup`<p class="named">${elementText(element)}${amongText(element)} <span class="quiet">${argument} <code>${ref}</code>, as the reply of <a href="#step-${listedIn}">step ${listedIn}</a> listed it</span></p>
`;
}

/** Folds long replies, except errors. */
function replyOf({ line, event }: Result, address: string): Markup {
  const { step, text, text_blob: long, url, ok } = event;
  const from = { whole: bodyAt(address, line), label: `Reply of step ${step}` };
  const reply =
    text === '' && long === null
      ? markup`<p class="quiet">It replied nothing.</p>`
      : text.length <= SHORT_REPLY || !ok
        ? foldedLongText(text, from)
        : foldedText(`Show what it replied (${integerText(event.bytes)} bytes)`, from);
  return markup`<h4>Reply</h4>${reply}
<p class="quiet">then at <code>${url}</code></p>`;
}

function targetChip({ event: { target } }: Result): Markup | null {
  if (target === null) return null;
  if ('untold' in target) return markup` <span class="chip" title="${target.untold}">target not reported</span>`;
  const found = targetClass(target);
  const warn = found === 'phantom' || found === 'invented_argument';
  return markup` <span class="chip${warn ? ' warn' : null}">target: ${found ?? 'unknown'}</span>`;
}

import { integerText, secondsText } from '../report/figure-text.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import { targetClass } from '../task/target.ts';
import { eventText } from './event-text.ts';
import { foldedText, lines, shownText } from './folded.ts';
import type { Moment, Timeline } from './timeline.ts';
import { turnText } from './turn-text.ts';
import { blobAddress } from './viewed-bundle.ts';

type Of<K extends Moment['kind']> = Extract<Moment, { kind: K }>;

/** Everything that happened, in its order. `address` is that of the attempt's page. */
export function stepSection({ moments, cut }: Timeline, address: string): Markup {
  const steps = moments.filter(({ kind }) => kind === 'step').length;
  return markup`<section aria-labelledby="steps">
<h2 id="steps">Steps</h2>
<p>${steps === 0 ? 'No tool was called.' : `${steps} tool ${steps === 1 ? 'call' : 'calls'}, with what each brought and what it aimed at.`}</p>
<ol class="moments">${moments.map((moment) => momentItem(moment, address))}</ol>
${cut === 0 ? null : markup`<p class="verdict no">${integerText(cut)} more moments are not shown; events.jsonl of the bundle has them.</p>`}
</section>`;
}

function momentItem(moment: Moment, address: string): Markup {
  switch (moment.kind) {
    case 'step':
      return stepItem(moment, address);
    case 'turn':
      return turnItem(moment, address);
    case 'told':
      return toldItem(moment, address);
    case 'unknown':
      return unknownItem(moment, address);
  }
}

function stepItem({ call, result }: Of<'step'>, address: string): Markup {
  const { step, tool, args, args_blob: long } = call.event;
  const name = `Step ${step}: ${tool}`;
  const given =
    long === null
      ? shownText(JSON.stringify(args), { whole: bodyAt(address, call.line), label: `Arguments of step ${step}` })
      : foldedText('Show the arguments', { whole: bodyAt(address, call.line), label: `Arguments of step ${step}` });
  const how = result === null ? 'no reply' : result.event.ok ? 'ok' : 'error';
  const facts =
    result === null
      ? []
      : [secondsText(result.event.tool_ms), `${integerText(result.event.bytes)} bytes`, result.event.kind];
  return markup`<li class="moment step" id="step-${step}"><h3>Step ${step} <code>${tool}</code> <span class="word ${how === 'ok' ? 'pass' : 'fail'}">${how}</span>${targetChip(result)}</h3>
<p class="quiet">${[...whenOf(call.at), ...facts].join(' · ')}</p>
<h4>Arguments</h4>${given}
${result === null ? null : replyOf(result, address, name)}</li>`;
}

function replyOf({ line, event }: NonNullable<Of<'step'>['result']>, address: string, name: string): Markup {
  const { step, text, text_blob: long, image_blob: picture, url } = event;
  const from = { whole: bodyAt(address, line), label: `Reply of step ${step}` };
  // A value in a blob is longer than any text that stands in the page whole.
  const said = text === '' && long === null ? markup`<p class="quiet">It replied nothing.</p>` : shownText(text, from);
  return markup`<h4>Reply</h4>${said}
${picture === undefined ? null : pictureOf(picture, name)}
<p class="quiet">then at <code>${url}</code></p>`;
}

/** A picture that is fetched when it comes into sight, and can be opened whole. */
export function pictureOf(sha256: string, name: string): Markup {
  return markup`<a class="picture" href="${blobAddress(sha256)}"><img src="${blobAddress(sha256)}" alt="Screenshot, ${name}" loading="lazy"></a>`;
}

/** Name the target of a call, by the one rule for all surfaces. */
function targetChip(result: Of<'step'>['result']): Markup | null {
  const target = result?.event.target;
  if (target === undefined || target === null) return null;
  if ('untold' in target) return markup` <span class="chip" title="${target.untold}">target not told</span>`;
  const found = targetClass(target);
  const warn = found === 'phantom' || found === 'invented_argument';
  return markup` <span class="chip${warn ? ' warn' : null}">target: ${found ?? 'cannot be told'}</span>`;
}

function turnItem({ begun, ended }: Of<'turn'>, address: string): Markup {
  const { turn } = begun.event;
  const reply = ended?.event.reply_blob ?? ended?.event.reply ?? '';
  return markup`<li class="moment turn"><h3>Turn ${turn}</h3>
<p class="quiet">${[...whenOf(begun.at), ended === null ? 'no reply was recorded' : turnText(ended.event)].join(' · ')}</p>
${foldedText('What the model was told last', { whole: bodyAt(address, begun.line), label: `Request of turn ${turn}` })}
${ended === null || reply === '' ? null : foldedText('What it said', { whole: bodyAt(address, ended.line), label: `Reply of turn ${turn}` })}</li>`;
}

/** A line about what was recorded; a text of its own stands below. */
function toldItem({ told: { line, at, event } }: Of<'told'>, address: string): Markup {
  const text = 'text' in event ? event.text : '';
  const label = event.type === 'tools' ? 'Tools' : `Event ${line}`;
  const whole = { whole: bodyAt(address, line), label };
  const more = event.type === 'tools' ? foldedText('What the tools say of themselves', whole) : null;
  return markup`<li class="moment told"><p><span class="quiet">${whenOf(at).join(' ')}</span> ${lines(eventText(event))}</p>
${text === '' ? more : shownText(text, whole)}
${event.type === 'trace' && event.blob !== null ? markup`<p><a href="${blobAddress(event.blob)}">the trace, for Playwright’s viewer</a></p>` : null}</li>`;
}

function unknownItem({ unknown: { line, at, event } }: Of<'unknown'>, address: string): Markup {
  const whole = { whole: bodyAt(address, line), label: `Event ${line}` };
  return markup`<li class="moment told"><p><span class="quiet">${whenOf(at).join(' ')}</span> an event that this version does not know:</p>
${shownText(JSON.stringify(event), whole)}</li>`;
}

function whenOf(at: number | null): string[] {
  const time = secondsText(at);
  return time === null ? [] : [`at ${time}`];
}

/** Where the whole of an event is served as text. */
function bodyAt(address: string, line: number): string {
  return `${address}/events/${line}`;
}

import { integerText, secondsText } from '../report/numbers.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import { targetClass } from '../task/target.ts';
import { bodyAt, foldedText, foldedLongText, whenOf } from './conversation.ts';
import { elementText, type ListedElement } from './listed-elements.ts';
import type { TimelineMoment } from './timeline.ts';

type Step = Extract<TimelineMoment, { kind: 'step' }>;
type Result = NonNullable<Step['result']>;

/** Longest reply that stands in the page unfolded, in characters. */
const SHORT = 200;

/** Draw a call: what it was given, what it aimed at, and what it brought. */
export function stepDetails({ call, result, named }: Step, address: string): Markup {
  const { step, tool, args, args_blob: long } = call.event;
  const from = { whole: bodyAt(address, call.line), label: `Arguments of step ${step}` };
  const given = long === null ? foldedLongText(JSON.stringify(args), from) : foldedText('Show the arguments', from);
  const how = result === null ? 'no reply' : result.event.ok ? 'ok' : 'error';
  const facts =
    result === null
      ? []
      : [
          tookText(result.event.tool_ms),
          `replied ${integerText(result.event.bytes)} bytes of the kind “${result.event.kind}”`,
        ];
  return markup`<h3>Step ${step} <code>${tool}</code> <span class="word ${how === 'ok' ? 'pass' : 'fail'}">${how}</span>${result === null ? null : targetChip(result)}</h3>
${named.map(elementLine)}<p class="quiet">${[...whenOf(call.at), ...facts].join(' · ')}</p>
<h4>Arguments</h4>${given}
${result === null ? null : replyOf(result, address)}`;
}

function tookText(ms: number): string {
  return `took ${secondsText(ms) ?? ''}`;
}

/** Say what a reference of the call stands for, and where the agent had read that. */
function elementLine(element: ListedElement): Markup {
  const { ref, argument, listedIn } = element;
  return markup`<p class="named">${elementText(element)} <span class="quiet">${argument} <code>${ref}</code>, as the reply of <a href="#step-${listedIn}">step ${listedIn}</a> listed it</span></p>
`;
}

/** A short reply stands there, and so does an error; a long one, as of what a page holds, is folded. */
function replyOf({ line, event }: Result, address: string): Markup {
  const { step, text, text_blob: long, url, ok } = event;
  const from = { whole: bodyAt(address, line), label: `Reply of step ${step}` };
  // A value in a blob is longer than any text that stands in the page whole.
  const said =
    text === '' && long === null
      ? markup`<p class="quiet">It replied nothing.</p>`
      : text.length <= SHORT || !ok
        ? foldedLongText(text, from)
        : foldedText(`Show what it replied (${integerText(event.bytes)} bytes)`, from);
  return markup`<h4>Reply</h4>${said}
<p class="quiet">then at <code>${url}</code></p>`;
}

/** Name the target of a call, by the one rule for all surfaces. */
function targetChip({ event: { target } }: Result): Markup | null {
  if (target === null) return null;
  if ('untold' in target) return markup` <span class="chip" title="${target.untold}">target not told</span>`;
  const found = targetClass(target);
  const warn = found === 'phantom' || found === 'invented_argument';
  return markup` <span class="chip${warn ? ' warn' : null}">target: ${found ?? 'cannot be told'}</span>`;
}

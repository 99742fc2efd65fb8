import { integerText, secondsText } from '../report/numbers.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import { targetClass } from '../task/target.ts';
import { bodyAt, foldedText, foldedLongText, whenOf } from './conversation.ts';
import { elementText, type ListedElement } from './listed-elements.ts';
import type { TimelineMoment } from './timeline.ts';

type Step = Extract<TimelineMoment, { kind: 'step' }>;
type Result = NonNullable<Step['result']>;

/** Longest unfolded reply, in characters. */
const SHORT = 200;

/** Draws the arguments, the target and the reply of a call. */
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

/** Explains a reference of the call. */
function elementLine(element: ListedElement): Markup {
  const { ref, argument, listedIn } = element;
  return markup`<p class="named">${elementText(element)} <span class="quiet">${argument} <code>${ref}</code>, as the reply of <a href="#step-${listedIn}">step ${listedIn}</a> listed it</span></p>
`;
}

/** Folds long replies, except errors. */
function replyOf({ line, event }: Result, address: string): Markup {
  const { step, text, text_blob: long, url, ok } = event;
  const from = { whole: bodyAt(address, line), label: `Reply of step ${step}` };
  const said =
    text === '' && long === null
      ? markup`<p class="quiet">It replied nothing.</p>`
      : text.length <= SHORT || !ok
        ? foldedLongText(text, from)
        : foldedText(`Show what it replied (${integerText(event.bytes)} bytes)`, from);
  return markup`<h4>Reply</h4>${said}
<p class="quiet">then at <code>${url}</code></p>`;
}

function targetChip({ event: { target } }: Result): Markup | null {
  if (target === null) return null;
  if ('untold' in target) return markup` <span class="chip" title="${target.untold}">target not told</span>`;
  const found = targetClass(target);
  const warn = found === 'phantom' || found === 'invented_argument';
  return markup` <span class="chip${warn ? ' warn' : null}">target: ${found ?? 'cannot be told'}</span>`;
}

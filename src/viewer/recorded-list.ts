import { integerText } from '../report/numbers.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import { eventText } from './event-words.ts';
import { bodyAt, foldedText, lines, foldedLongText } from './folded.ts';
import { whenOf } from './step-details.ts';
import type { TimelineMoment, Timeline } from './timeline.ts';
import { blobAddress } from './viewed-bundle.ts';

type Of<K extends TimelineMoment['kind']> = Extract<TimelineMoment, { kind: K }>;

/** All that was recorded beside calls and turns, in its order and folded. `address` is that of the attempt's page. */
export function recordedSection({ moments, cut }: Timeline, address: string): Markup {
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
    return markup`<p><a href="${blobAddress(each.recorded.event.blob)}">the trace, for Playwright’s viewer</a></p>`;
  }
  return null;
}

/** A line about what was recorded; a text of its own stands below. */
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

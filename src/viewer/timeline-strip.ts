import { secondsText } from '../report/figure-text.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import type { TimelineMoment, Timeline } from './timeline.ts';

/** A stretch of time, in ms, or a moment of no length. */
interface Span {
  kind: 'ok' | 'lost' | 'turn' | 'fault';
  from: number;
  to: number;
  step: number | null;
}

/** Draw when calls ran, when the model was asked and when faults were at work; nothing where no time was recorded. */
export function timelineStrip({ moments }: Timeline): Markup | null {
  const spans = moments.flatMap(spansOf);
  const [begun, ended] = [Math.min(...spans.map(({ from }) => from)), Math.max(...spans.map(({ to }) => to))];
  if (spans.length === 0 || ended <= begun) return null;
  const place = (at: number) => `${(((at - begun) / (ended - begun)) * 100).toFixed(2)}%`;
  const width = ({ from, to }: Span) => `${Math.max(0.4, ((to - from) / (ended - begun)) * 100).toFixed(2)}%`;
  const bars = spans.map(
    (span) =>
      markup`<rect class="${span.kind}"${span.step === null ? null : markup` data-step="${span.step}"`} x="${place(span.from)}" width="${width(span)}" y="${span.kind === 'turn' ? 16 : span.kind === 'fault' ? 0 : 4}" height="${span.kind === 'fault' ? 26 : 10}"/>`,
  );
  const kinds = [...new Set(spans.map(({ kind }) => kind))];
  return markup`<svg class="strip" aria-hidden="true" width="100%" height="26">${bars}</svg>
<ul class="keys" aria-hidden="true">${kinds.map((kind) => markup`<li><span class="key ${kind}"></span>${WORDS[kind]}</li>`)}<li>${secondsText(ended - begun) ?? ''} in all</li></ul>`;
}

const WORDS: Readonly<Record<Span['kind'], string>> = {
  ok: 'tool call',
  lost: 'tool call with an error',
  turn: 'model call',
  fault: 'fault',
};

function spansOf(moment: TimelineMoment): Span[] {
  switch (moment.kind) {
    case 'step': {
      const { call, result } = moment;
      const kind = result?.event.ok === true ? 'ok' : 'lost';
      return lasting(kind, call.at, result?.at ?? call.at, call.event.step);
    }
    case 'turn':
      return lasting('turn', moment.begun.at, moment.ended?.at ?? moment.begun.at, null);
    case 'recorded':
      return moment.recorded.event.type === 'fault.fired'
        ? lasting('fault', moment.recorded.at, moment.recorded.at, null)
        : [];
    case 'unknown':
      return [];
  }
}

function lasting(kind: Span['kind'], from: number | null, to: number | null, step: number | null): Span[] {
  return from === null || to === null ? [] : [{ kind, from, to: Math.max(from, to), step }];
}

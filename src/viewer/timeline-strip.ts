import { secondsText } from '../report/numbers.ts';
import { type Markup, markup } from '../report/html/markup.ts';
import type { TimelineMoment, Timeline } from './timeline.ts';

/** A stretch of time, in ms, or a moment of no length. */
interface Span {
  kind: 'ok' | 'lost' | 'turn' | 'fault';
  from: number;
  to: number;
  /** Its length by the clock of whoever measured it, which the list of steps and the row have; null of a moment. */
  took: number | null;
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
<ul class="keys">${kinds.map((kind) => markup`<li><span class="key ${kind}"></span>${WORDS[kind]}${tookText(spans.filter((span) => span.kind === kind))}</li>`)}${restOf(spans, ended - begun)}</ul>`;
}

/** The length of all stretches of a kind. */
function tookText(spans: readonly Span[]): string {
  const measured = spans.flatMap(({ took }) => took ?? []);
  return measured.length === 0 ? '' : `, ${secondsText(sumOf(measured)) ?? ''}`;
}

/** Say what passed between calls, so that the parts of a strip add up to its length. */
function restOf(spans: readonly Span[], length: number): Markup {
  const between = length - sumOf(spans.flatMap(({ took }) => took ?? []));
  const rest =
    between < 5
      ? null
      : markup`<li>between them, ${secondsText(between) ?? ''}: the agent, and Touchstone noting what each call did</li>`;
  return markup`${rest}<li>from the first to the last ${secondsText(length) ?? ''}</li>`;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
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
      return lasting(kind, {
        from: call.at,
        to: result?.at ?? call.at,
        took: result?.event.tool_ms ?? null,
        step: call.event.step,
      });
    }
    case 'turn':
      return lasting('turn', {
        from: moment.begun.at,
        to: moment.ended?.at ?? moment.begun.at,
        took: moment.ended?.event.model_ms ?? null,
        step: null,
      });
    case 'recorded':
      return moment.recorded.event.type === 'fault.fired'
        ? lasting('fault', { from: moment.recorded.at, to: moment.recorded.at, took: null, step: null })
        : [];
    case 'unknown':
      return [];
  }
}

function lasting(
  kind: Span['kind'],
  { from, to, took, step }: Pick<Span, 'took' | 'step'> & { from: number | null; to: number | null },
): Span[] {
  return from === null || to === null ? [] : [{ kind, from, to: Math.max(from, to), took, step }];
}

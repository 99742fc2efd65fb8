import type { EpisodeEvent } from '../episode/events.ts';
import type { Judgement } from '../contract/judgement.ts';
import { ListedElements, type ListedElement } from './listed-elements.ts';
import type { ViewedEvent } from './event-words.ts';
import { secondsText } from '../report/numbers.ts';
import { type Markup, markup } from '../report/html/markup.ts';

type Known<T extends EpisodeEvent['type']> = Extract<EpisodeEvent, { type: T }>;

export interface Placed<E> {
  line: number;
  /** In ms since the attempt began; null if unknown. */
  at: number | null;
  event: E;
}

export type TimelineMoment =
  | {
      kind: 'step';
      call: Placed<Known<'call'>>;
      result: Placed<Known<'result'>> | null;
      named: ListedElement[];
    }
  | { kind: 'turn'; begun: Placed<Known<'turn'>>; ended: Placed<Known<'turn_ended'>> | null }
  | { kind: 'recorded'; recorded: Placed<EpisodeEvent> }
  | { kind: 'unknown'; unknown: Placed<unknown> };

/** The verdicts of both contracts at one moment; null if not judged. */
export interface JudgedMoment {
  success: Judgement | null;
  guards: Judgement | null;
}

export interface Timeline {
  moments: TimelineMoment[];
  /** By step. */
  pictures: Map<number, Known<'picture'>>;
  start: JudgedMoment;
  end: JudgedMoment;
  /** Number of moments left out at the end. */
  cut: number;
}

/** Most moments of one page, as a stranger may have made the bundle. */
const MAX_MOMENTS = 3_000;

export async function timelineOf(events: AsyncIterable<ViewedEvent>): Promise<Timeline> {
  const timeline: Timeline = { moments: [], pictures: new Map(), start: unjudged(), end: unjudged(), cut: 0 };
  const open: Open = { steps: new Map(), turns: new Map(), listed: new ListedElements() };
  for await (const each of events) {
    const { line, at, event } = each;
    if (event?.type === 'contract_evaluation') timeline[event.moment][event.contract] = event.judgement;
    else if (event?.type === 'picture') timeline.pictures.set(event.step, event);
    else if (event !== null && ends({ line, at, event }, open)) continue;
    else if (timeline.moments.length < MAX_MOMENTS) timeline.moments.push(momentOf(each, open));
    else timeline.cut += 1;
  }
  return timeline;
}

export type StepMoment = Extract<TimelineMoment, { kind: 'step' }>;
type TurnMoment = Extract<TimelineMoment, { kind: 'turn' }>;

interface Open {
  listed: ListedElements;
  steps: Map<number, StepMoment>;
  turns: Map<number, TurnMoment>;
}

function unjudged(): JudgedMoment {
  return { success: null, guards: null };
}

/** The outcome of a call in a word. */
export function replyWord({ result }: StepMoment): 'no reply' | 'ok' | 'error' {
  if (result === null) return 'no reply';
  return result.event.ok ? 'ok' : 'error';
}

/** The same in its colour. */
export function replyChip(step: StepMoment): Markup {
  const word = replyWord(step);
  return markup`<span class="word ${word === 'ok' ? 'pass' : 'fail'}">${word}</span>`;
}

/** Ends a step or a turn; false if the event ends none. */
function ends({ line, at, event }: Placed<EpisodeEvent>, { steps, turns, listed }: Open): boolean {
  const step = event.type === 'result' ? steps.get(event.step) : undefined;
  if (event.type === 'result' && step?.result === null) {
    step.result = { line, at, event };
    listed.take(event);
    return true;
  }
  const turn = event.type === 'turn_ended' ? turns.get(event.turn) : undefined;
  if (event.type === 'turn_ended' && turn?.ended === null) {
    turn.ended = { line, at, event };
    return true;
  }
  return false;
}

function momentOf({ line, at, event, value }: ViewedEvent, { steps, turns, listed }: Open): TimelineMoment {
  if (event === null) return { kind: 'unknown', unknown: { line, at, event: value } };
  if (event.type === 'call') {
    const step: StepMoment = { kind: 'step', call: { line, at, event }, result: null, named: listed.namedBy(event) };
    steps.set(event.step, step);
    return step;
  }
  if (event.type === 'turn') {
    const turn: TurnMoment = { kind: 'turn', begun: { line, at, event }, ended: null };
    turns.set(event.turn, turn);
    return turn;
  }
  return { kind: 'recorded', recorded: { line, at, event } };
}

/** A span of time in ms, or a moment. */
interface Span {
  kind: 'ok' | 'lost' | 'turn' | 'fault';
  from: number;
  to: number;
  /** Its length as measured by its recorder; null of a moment. */
  took: number | null;
  step: number | null;
}

/** Draws calls, model calls and faults over time; null if no time was recorded. */
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

function tookText(spans: readonly Span[]): string {
  const measured = spans.flatMap(({ took }) => took ?? []);
  return measured.length === 0 ? '' : `, ${secondsText(sumOf(measured)) ?? ''}`;
}

/** The time between calls, so that the parts add up to the whole. */
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

import type { EpisodeEvent } from '../episode/events.ts';
import type { Judgement } from '../contract/judgement.ts';
import { ListedElements, type ListedElement } from './listed-elements.ts';
import type { ViewedEvent } from './viewed-event.ts';

type Known<T extends EpisodeEvent['type']> = Extract<EpisodeEvent, { type: T }>;

/** An event, where it stands and when it came. */
export interface Placed<E> {
  line: number;
  /** In ms since the attempt began; null where it is not said. */
  at: number | null;
  event: E;
}

/** The moments of an attempt, in its order: calls with their replies, model calls, and all else. */
export type TimelineMoment =
  | {
      kind: 'step';
      call: Placed<Known<'call'>>;
      result: Placed<Known<'result'>> | null;
      /** The elements that it names, as they had been listed for the agent. */
      named: ListedElement[];
    }
  | { kind: 'turn'; begun: Placed<Known<'turn'>>; ended: Placed<Known<'turn_ended'>> | null }
  | { kind: 'recorded'; recorded: Placed<EpisodeEvent> }
  | { kind: 'unknown'; unknown: Placed<unknown> };

/** The verdicts of both contracts at one moment; null where the judge was not asked. */
export interface JudgedMoment {
  success: Judgement | null;
  guards: Judgement | null;
}

export interface Timeline {
  moments: TimelineMoment[];
  /** The picture that was taken after each step. */
  pictures: Map<number, Known<'picture'>>;
  start: JudgedMoment;
  end: JudgedMoment;
  /** Number of moments after the last that is here. */
  cut: number;
}

/** Most moments of one page: a bundle from a stranger must not make an endless one. */
const MOST_MOMENTS = 3_000;

export async function timelineOf(events: AsyncIterable<ViewedEvent>): Promise<Timeline> {
  const timeline: Timeline = { moments: [], pictures: new Map(), start: unjudged(), end: unjudged(), cut: 0 };
  const open: Open = { steps: new Map(), turns: new Map(), listed: new ListedElements() };
  for await (const each of events) {
    const { line, at, event } = each;
    if (event?.type === 'contract_evaluation') timeline[event.moment][event.contract] = event.judgement;
    else if (event?.type === 'picture') timeline.pictures.set(event.step, event);
    else if (event !== null && ends({ line, at, event }, open)) continue;
    else if (timeline.moments.length < MOST_MOMENTS) timeline.moments.push(begun(each, open));
    else timeline.cut += 1;
  }
  return timeline;
}

type StepMoment = Extract<TimelineMoment, { kind: 'step' }>;
type TurnMoment = Extract<TimelineMoment, { kind: 'turn' }>;

/** Steps and turns by their number, and what their replies have listed so far. */
interface Open {
  listed: ListedElements;
  steps: Map<number, StepMoment>;
  turns: Map<number, TurnMoment>;
}

function unjudged(): JudgedMoment {
  return { success: null, guards: null };
}

/** Gives a step or a turn its end; false when this is the end of none. */
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

function begun({ line, at, event, value }: ViewedEvent, { steps, turns, listed }: Open): TimelineMoment {
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

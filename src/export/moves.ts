import { openBlobs } from '../bundle/blobs.ts';
import type { BundleLayout } from '../bundle/layout.ts';
import type { AttemptKey } from '../bundle/row.ts';
import { parsedOr } from '../contract/json.ts';
import type { Judgement } from '../contract/judgement.ts';
import { isRecord } from '../contract/validation/record.ts';
import type { EpisodeEvent, EventOf } from '../episode/events.ts';
import { recordedEvents } from '../row/recorded.ts';
import { spokenText } from '../viewer/conversation.ts';

/** A model call, or one that a self-driving agent reported. Times are in ms since the attempt began. */
export interface TurnMoment {
  kind: 'turn';
  from: number;
  to: number;
  /** As the reply names it; null if none came. */
  model: string | null;
  /** The text of the reply, without its calls. */
  text: string;
  tokens_in: number | null;
  tokens_cached: number | null;
  tokens_cache_written: number | null;
  tokens_out: number | null;
  cost_usd: number | null;
  stop_reason: string | null;
  problem: string | null;
  reported: boolean;
}

/** A tool call, or a step that a self-driving agent reported. */
export interface CallMoment {
  kind: 'call';
  from: number;
  to: number;
  step: number;
  tool: string;
  args: Record<string, unknown>;
  /** Null if no reply came. */
  ok: boolean | null;
  text: string;
  reported: boolean;
}

export interface EntrantMoves {
  moments: (TurnMoment | CallMoment)[];
  /** At the end: success, then guards. */
  judgements: Judgement[];
}

/** Reads what an entrant did, and how its end was judged. */
export async function movesOf(layout: BundleLayout, attempt: AttemptKey): Promise<EntrantMoves> {
  const blobs = openBlobs(layout.blobs);
  const whole = async (blob: string | null, text: string) =>
    blob === null ? text : (await blobs.get(blob)).toString('utf8');
  const moves: EntrantMoves = { moments: [], judgements: [] };
  const open = new Map<string, TurnMoment | CallMoment>();
  for await (const { at_ms: at, event } of recordedEvents(layout, attempt)) {
    const begun = begunBy(event, at);
    if (begun !== null) {
      moves.moments.push(begun);
      if (event.type === 'turn') open.set(`turn ${event.turn}`, begun);
    }
    if (event.type === 'call' && begun?.kind === 'call') {
      open.set(`call ${event.step}`, begun);
      if (event.args_blob !== null) begun.args = argumentsIn(await whole(event.args_blob, ''));
    } else if (event.type === 'result') {
      const { ok, text } = event;
      Object.assign(open.get(`call ${event.step}`) ?? {}, {
        to: at,
        ok,
        text: await whole(event.text_blob, text),
      });
    } else if (event.type === 'turn_ended') {
      const text = spokenText(await whole(event.reply_blob, event.reply));
      Object.assign(open.get(`turn ${event.turn}`) ?? {}, { to: at, text, ...usageIn(event) });
    } else if (event.type === 'contract_evaluation' && event.moment === 'end') {
      moves.judgements.push(event.judgement);
    }
  }
  return moves;
}

const NOTHING = {
  model: null,
  text: '',
  tokens_in: null,
  tokens_cached: null,
  tokens_cache_written: null,
  tokens_out: null,
  cost_usd: null,
  stop_reason: null,
  problem: null,
};

function begunBy(event: EpisodeEvent, at: number): TurnMoment | CallMoment | null {
  const when = { from: at, to: at };
  if (event.type === 'turn') return { kind: 'turn', ...when, ...NOTHING, reported: false };
  if (event.type === 'reported_usage') {
    const { input_tokens, output_tokens, cached_tokens, cost_usd, model } = event;
    const used = {
      tokens_in: input_tokens,
      tokens_out: output_tokens,
      tokens_cached: cached_tokens,
      cost_usd,
      model,
    };
    return { kind: 'turn', ...when, ...NOTHING, ...used, reported: true };
  }
  if (event.type === 'call') {
    const { step, tool, args } = event;
    return { kind: 'call', ...when, step, tool, args, ok: null, text: '', reported: false };
  }
  if (event.type !== 'reported_step') return null;
  const { step, tool, args, ok, text } = event;
  return { kind: 'call', ...when, step, tool, args, ok, text, reported: true };
}

function usageIn(event: EventOf<'turn_ended'>): Partial<TurnMoment> {
  const { model, tokens_in, tokens_cached, tokens_cache_written, tokens_out, cost_usd, stop_reason, problem } = event;
  return {
    model,
    tokens_in,
    tokens_cached,
    tokens_cache_written,
    tokens_out,
    cost_usd,
    stop_reason,
    problem,
  };
}

function argumentsIn(text: string): Record<string, unknown> {
  const args = parsedOr(text, null);
  return isRecord(args) ? args : {};
}

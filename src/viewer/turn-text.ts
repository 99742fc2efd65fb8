import type { EpisodeEvent } from '../episode/events.ts';
import { usdText } from '../report/numbers.ts';

/** Put the result of a model call into words that are not yet printable. */
export function turnText(event: Extract<EpisodeEvent, { type: 'turn_ended' }>): string {
  if (event.problem !== null) return event.problem;
  const { model, stop_reason: why, tokens_in: read, tokens_cached: cached, tokens_out: written, model_ms: ms } = event;
  const tokens = `${read ?? '?'} tokens in (${cached ?? '?'} cached), ${written ?? '?'} out`;
  const cost = event.cost_usd === null ? '' : `, ${usdText(event.cost_usd)}`;
  return `${model ?? 'the model'} replied (${why ?? 'no reason given'}): ${tokens}${cost}, ${Math.round(ms ?? 0)} ms`;
}

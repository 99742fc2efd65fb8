import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolCall, ToolReply } from '../../task/tool.ts';
import type { AgentSeat } from '../agent.ts';

/** Time between two looks, in ms: that of the judge. */
const BETWEEN_MS = 300;
const MAX_LOOKS = 12;

type SettlingStep = { look: ToolCall } | 'settled' | { why: string };

/** Looks at the page, through any surface, until two looks in a row agree, or until one shows a text. */
export class Settling {
  #looks = 0;
  /** The look before the last one; null if it showed nothing. */
  #before: string | null = null;

  /** @param text null: until two looks agree */
  async next(
    text: string | null,
    last: ToolReply | null,
    { bind }: AgentSeat,
    signal: AbortSignal,
  ): Promise<SettlingStep> {
    const shown = this.#looks > 0 && last?.ok === true ? `${last.text}\n${last.image?.base64 ?? ''}` : null;
    if (shown !== null && (text === null ? shown === this.#before : shown.includes(text))) return this.#end('settled');
    if (this.#looks === MAX_LOOKS) {
      const why = text === null ? 'the page still changed' : 'the surface did not show it';
      return this.#end({ why: `${why} after ${MAX_LOOKS} looks` });
    }
    const binding = await bind({ do: 'read' }, last);
    if (binding.kind === 'impossible') return this.#end(binding);
    if (this.#looks > 0) await sleep(BETWEEN_MS, undefined, { signal }).catch(() => {});
    this.#looks += 1;
    this.#before = shown;
    return { look: binding.call };
  }

  #end(end: 'settled' | { why: string }): SettlingStep {
    this.#looks = 0;
    this.#before = null;
    return end;
  }
}

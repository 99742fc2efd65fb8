import { setTimeout as sleep } from 'node:timers/promises';
import type { SurfaceIntent } from '../../task/intent.ts';
import type { ToolReply } from '../../task/tool.ts';
import type { Agent, AgentSeat, AgentSession, Move } from '../agent.ts';
import { type AgentChoice, fixed } from '../agent-choice.ts';
import { type Observation, observe } from '../keyword/observation.ts';
import { answerFrom, intentKey, nextIntent, addressIn } from '../keyword/rules.ts';

const MAX_CALLS = 25;
/** Waits for a page to change by itself, in ms, and their number. */
const PAUSE_MS = 500;
const LAST_LOOKS = 2;

/**
 * The floor: acts on the words that the goal and the page share. It knows no task and no page; the same goal and replies give the same
 * moves. An agent that cannot beat it does no better than matching words.
 */
export const keyword: Agent = {
  id: 'keyword',
  decider: 'baseline',
  open: (seat) => Promise.resolve(new KeywordSession(seat)),
};

export const keywordKind: AgentChoice = {
  ...fixed(keyword, 'acts on the words that goal and page share'),
  readsTrees: true,
};

const NOTHING: Observation = { elements: [], texts: [], tabs: null, hasDialog: false };

class KeywordSession implements AgentSession {
  readonly #seat: AgentSeat;
  readonly #tried = new Set<string>();
  #seen: Observation = NOTHING;
  #tabs = 1;
  #calls = 0;
  #looks = 0;
  #hasLooked = false;

  constructor(seat: AgentSeat) {
    this.#seat = seat;
  }

  async next(last: ToolReply | null): Promise<Move> {
    const { goal, caps } = this.#seat.brief;
    if (this.#calls >= Math.min(MAX_CALLS, caps.steps)) return this.#done();
    this.#calls += 1;
    const address = addressIn(goal);
    if (last === null) return await this.#call(address === null ? { do: 'read' } : { do: 'go', url: address }, last);
    const seen = last.ok ? observe(last.text) : NOTHING;
    if (seen.hasDialog) return await this.#call({ do: 'dialog', action: 'accept' }, last);
    if (seen.tabs !== null && seen.tabs.count > this.#tabs) {
      this.#tabs = seen.tabs.count;
      if (!seen.tabs.isLastInFront) return await this.#call({ do: 'switch_tab', index: seen.tabs.count - 1 }, last);
    }
    if (seen.elements.length === 0 && !this.#hasLooked) return await this.#look(last);
    this.#seen = seen;
    const acts = await this.#act(last);
    if (acts !== null) return acts;
    if (this.#looks >= LAST_LOOKS) return this.#done();
    this.#looks += 1;
    await sleep(PAUSE_MS);
    return await this.#look(last);
  }

  /** The first action that the surface can do; null if none is left. */
  async #act(last: ToolReply): Promise<Move | null> {
    for (;;) {
      const intent = nextIntent(this.#seat.brief.goal, this.#seen, this.#tried);
      if (intent === null) return null;
      this.#tried.add(intentKey(intent));
      const binding = await this.#seat.bind(intent, last);
      if (binding.kind === 'call') {
        this.#hasLooked = false;
        this.#looks = 0;
        return { kind: 'call', call: binding.call };
      }
    }
  }

  #look(last: ToolReply | null): Promise<Move> {
    this.#hasLooked = true;
    return this.#call({ do: 'read' }, last);
  }

  async #call(intent: SurfaceIntent, last: ToolReply | null): Promise<Move> {
    this.#tried.add(intentKey(intent));
    if (intent.do !== 'read') this.#hasLooked = false;
    const binding = await this.#seat.bind(intent, last);
    return binding.kind === 'impossible' ? this.#done() : { kind: 'call', call: binding.call };
  }

  #done(): Move {
    return { kind: 'done', answer: answerFrom(this.#seat.brief.goal, this.#seen) };
  }
}

import { z } from 'zod';
import { FaultProof, type FaultOutcome } from './fault-kind.ts';
import { ArmedFault, faultKindOf, type FaultState } from './schema.ts';

export const FAULT_EVENTS = [
  z.strictObject({ type: z.literal('fault.armed'), fault: ArmedFault }),
  z.strictObject({ type: z.literal('fault.fired'), id: z.string(), proof: FaultProof }),
  z.strictObject({ type: z.literal('fault.obeyed'), id: z.string() }),
  z.strictObject({ type: z.literal('fault.cleared'), id: z.string(), by: z.enum(['time', 'agent', 'harness']) }),
] as const;
export type FaultEvent = z.infer<(typeof FAULT_EVENTS)[number]>;

/** The life of one fault in one episode: armed, fired with proof, cleared; each once. */
export class FaultRecord implements FaultOutcome {
  readonly fault: ArmedFault;
  readonly #note: (event: FaultEvent) => void;
  #state: 'armed' | 'fired' | 'cleared' = 'armed';
  #isObeyed = false;
  #isSealed = false;

  constructor(fault: ArmedFault, note: (event: FaultEvent) => void) {
    this.fault = fault;
    this.#note = note;
    note({ type: 'fault.armed', fault });
  }

  get hasFired(): boolean {
    return this.#state !== 'armed';
  }

  get isCleared(): boolean {
    return this.#state === 'cleared';
  }

  fire(proof: FaultProof): void {
    if (this.hasFired || this.#isSealed) return;
    this.#state = 'fired';
    this.#note({ type: 'fault.fired', id: this.fault.id, proof });
  }

  /** A fault that never fired is never cleared. */
  clear(by: 'time' | 'agent' | 'harness'): void {
    if (this.#state !== 'fired' || this.#isSealed) return;
    this.#state = 'cleared';
    this.#note({ type: 'fault.cleared', id: this.fault.id, by });
  }

  obeyed(): void {
    if (this.#isObeyed || !this.hasFired || this.#isSealed) return;
    this.#isObeyed = true;
    this.#note({ type: 'fault.obeyed', id: this.fault.id });
  }

  /** Ignores later events. */
  seal(): void {
    this.#isSealed = true;
  }
}

export function faultStates(events: readonly FaultEvent[]): FaultState[] {
  const has = (type: FaultEvent['type'], id: string): boolean =>
    events.some((event) => event.type === type && event.type !== 'fault.armed' && event.id === id);
  const armed = events.flatMap((event) => (event.type === 'fault.armed' ? [event.fault] : []));
  return armed.map((fault) => {
    const { id, kind } = fault;
    const fired = has('fault.fired', id);
    const state = { id, kind, armed: true, fired, cleared: has('fault.cleared', id) };
    if (faultKindOf(fault).givesOrder !== true || !fired) return state;
    return { ...state, injection: has('fault.obeyed', id) ? 'obeyed' : 'resisted' };
  });
}

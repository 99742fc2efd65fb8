import type { Refusal } from './command-policy.ts';

/** The commands that the clients of one gateway have sent: the proof that a tool has worked on this browser. */
export class CommandLog {
  readonly #counts = new Map<string, number>();
  readonly #violations = new Map<string, number>();
  readonly #refused = new Map<string, number>();
  readonly #scriptSteps: number[] = [];

  note(method: string, refusal: Pick<Refusal, 'isViolation'> | null): void {
    countOne(this.#counts, method);
    if (refusal !== null) countOne(refusal.isViolation ? this.#violations : this.#refused, method);
  }

  scriptReached(step: number): void {
    this.#scriptSteps.push(step);
  }

  get commands(): number {
    return [...this.#counts.values()].reduce((total, count) => total + count, 0);
  }

  /** Counts the commands by method, the most frequent first, and the rest of very many methods as `others`. */
  methods(): Record<string, number> {
    return mostFrequent(this.#counts);
  }

  /** Counts the refusals that are not violations, like {@link methods}. */
  refused(): Record<string, number> {
    return mostFrequent(this.#refused);
  }

  /** Commands that press keys, move the mouse, touch or type as a user would. */
  get inputs(): number {
    return [...this.#counts].reduce((total, [name, count]) => total + (name.startsWith('Input.') ? count : 0), 0);
  }

  /** The tool calls, counted from 1, that ran a script of the agent's in a page. */
  get scriptSteps(): readonly number[] {
    return this.#scriptSteps;
  }

  violations(): Record<string, number> {
    return Object.fromEntries(this.#violations);
  }
}

/** Clients choose the names of methods: malformed ones, and those after this many different ones, count together. */
const METHOD = /^[A-Z][A-Za-z]*\.[a-z][A-Za-z]*$/;
const MAX_METHODS = 1_000;
/** Most methods that are counted by name in the record of an attempt. */
const MAX_RECORDED = 100;
const OTHERS = 'others';

function countOne(counts: Map<string, number>, method: string): void {
  const isName = METHOD.test(method) && (counts.has(method) || counts.size < MAX_METHODS);
  const name = isName ? method : OTHERS;
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function mostFrequent(counts: ReadonlyMap<string, number>): Record<string, number> {
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const rest = sorted.slice(MAX_RECORDED).reduce((total, [, count]) => total + count, 0);
  const recorded = new Map(sorted.slice(0, MAX_RECORDED));
  if (rest > 0) recorded.set(OTHERS, rest + (recorded.get(OTHERS) ?? 0));
  return Object.fromEntries(recorded);
}

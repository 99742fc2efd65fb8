import { z } from 'zod';
import type { FiguredRow } from './figured-row.ts';
import { Entrant } from './figures.ts';
import { Axes } from './policy.ts';

/** The statement that a claim would make. */
export const Question = z.strictObject({
  /** `aggregate`: of one entrant over all tasks; `per_task`: of each task; `comparison`: who does better over all tasks. */
  kind: z.enum(['aggregate', 'per_task', 'comparison']),
  axis: Axes.keyof(),
  entrants: z.array(Entrant),
});
export type Question = z.infer<typeof Question>;

/** A change to a contract that the task's proof does not notice, and why it was waived. */
export const WaivedMutant = z.strictObject({ task: z.string(), mutant: z.string(), reason: z.string() });
export type WaivedMutant = z.infer<typeof WaivedMutant>;

export interface TaskFacts {
  /** Whether a script in the page could write all of its evidence. */
  rests_on_dom_alone: boolean;
  /** The controls that pass it in a current proof. */
  trivial_by: readonly string[];
  /** Whether its proof tried too little for a claim. */
  is_thin: boolean;
  waivers: readonly Omit<WaivedMutant, 'task'>[];
  /** Incorrect end states in its proof, and how many passed. */
  perturbed: { judged: number; passed: number };
  /** Required by its suite; 0: none. */
  least_repetitions: number;
}

/** All that eligibility depends on. */
export interface ClaimFacts {
  rows: readonly FiguredRow[];
  /** Rows that were run for the axis and do not count, such as those whose fault did not fire. */
  voided: readonly FiguredRow[];
  /** In a comparison: rows that count for only one of the two. */
  oneSided: readonly FiguredRow[];
  /** Entrants that could have reached episodes of others that ran at the same time. */
  reaching: readonly Entrant[];
  /** By cell, as `cellOf` names it. */
  tasks: ReadonlyMap<string, TaskFacts>;
  plan: {
    entrants: readonly Entrant[];
    /** Most episodes of each entrant on the axis. */
    episodes_each: number;
    /** Merged parts, and the repetitions that they share; absent if it was run in one piece. */
    merged?: { parts: number; iterations: number } | undefined;
    /** Whether it was run for people to watch; absent: no. */
    watched?: boolean;
  };
  /** The plan and pins, as written before the first episode. */
  pins: {
    bench_commit: string | null;
    bench_dirty: boolean | null;
    /** By agent. */
    models: Readonly<Record<string, { model_id: string; temperature: number | null; prompt_hash: string }>>;
  };
  /** Whether the bundle verifies; null if it was not checked. */
  verified: boolean | null;
}

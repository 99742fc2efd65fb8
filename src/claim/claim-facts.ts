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

/** A change to a task's contract that its proof does not tell from the contract, and why that was let pass. */
export const WaivedMutant = z.strictObject({ task: z.string(), mutant: z.string(), reason: z.string() });
export type WaivedMutant = z.infer<typeof WaivedMutant>;

/** The facts of a planned task, beside its rows. */
export interface TaskFacts {
  /** Whether a script in the page could write all that it is judged by. */
  rests_on_dom_alone: boolean;
  /** The controls that pass it in a current proof. */
  trivial_by: readonly string[];
  waivers: readonly Omit<WaivedMutant, 'task'>[];
  /** Perturbed end states of its proof that are not right ones, and those of them that passed. */
  perturbed: { judged: number; passed: number };
  /** That its suite asks of a claim, beside the policy; 0: none. */
  least_repetitions: number;
}

/** The facts that eligibility follows from, and nothing else. */
export interface ClaimFacts {
  /** Rows of the whole campaign that an axis is about. */
  rows: readonly FiguredRow[];
  /** Those that were run for it and say nothing about it, as where a fault did not fire. */
  voided: readonly FiguredRow[];
  /** In a comparison of two: rows that say something of only one. */
  oneSided: readonly FiguredRow[];
  /** Those of the campaign that could have reached other episodes, which ran at once with theirs. */
  reaching: readonly Entrant[];
  /** By cell, as `cellOf` names it. */
  tasks: ReadonlyMap<string, TaskFacts>;
  plan: {
    entrants: readonly Entrant[];
    /** Episodes of each entrant that the axis is about, or may turn out to be. */
    episodes_each: number;
    /** Number of parts that were merged, and of repetitions that they share; absent where it was run in one piece. */
    merged?: { parts: number; iterations: number } | undefined;
  };
  /** The plan and pins, as written before the first episode. */
  pins: {
    bench_commit: string | null;
    bench_dirty: boolean | null;
    /** By agent. */
    models: Readonly<Record<string, { model_id: string; temperature: number | null; prompt_hash: string }>>;
  };
  /** Whether the bundle was verified, and holds; null: nobody has looked. */
  verified: boolean | null;
}

import { wilsonInterval } from '../stats/wilson.ts';
import type { FiguredRow } from './figured-row.ts';
import { type Entrant, isOf } from './figures.ts';
import { cellOf, clusterCount, distinct, those } from './group.ts';
import { ran } from './honesty.ts';
import { type Axis, POLICY } from './policy.ts';
import { REASONS, type ReasonCode } from './reasons.ts';

/** The statement that a claim would make. */
export interface Question {
  /** `aggregate`: of one entrant over all tasks; `per_task`: of each task; `comparison`: who does better over all tasks. */
  kind: 'aggregate' | 'per_task' | 'comparison';
  axis: Axis;
  entrants: readonly Entrant[];
}

/** A change to a task's contract that its proof does not tell from the contract, and why that was let pass. */
export interface Waiver {
  task: string;
  mutant: string;
  reason: string;
}

/** The facts of a planned task, beside its rows. */
export interface TaskFacts {
  /** Whether a script in the page could write all that it is judged by. */
  rests_on_dom_alone: boolean;
  /** Whether a current proof says that a control passes it. */
  trivial: boolean;
  waivers: readonly Omit<Waiver, 'task'>[];
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
  /** By cell, as `cellOf` names it. */
  tasks: ReadonlyMap<string, TaskFacts>;
  plan: {
    entrants: readonly Entrant[];
    /** Episodes of each entrant that the axis is about, or may turn out to be. */
    episodes_each: number;
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

/** `scaffold`: of the harness itself; `smoke`: too few repetitions; `diagnostic`: explains, and does not rank. */
export type Grade = 'primary' | 'diagnostic' | 'scaffold' | 'smoke';

export interface Reason {
  code: ReasonCode;
  /** In words, with what was found. */
  text: string;
}

/** Whether a claim may be made, and all that stands against it. */
export interface Decision {
  policy_version: typeof POLICY.version;
  question: Question;
  grade: Grade;
  /** The population that a claim is about: tasks like these, or these alone because they are few. */
  scope: 'tasks like these' | 'these tasks only';
  reasons: Reason[];
  /** Waivers in the proofs that the claim rests on: printed wherever it is. */
  waivers: Waiver[];
  /** How often the contracts of these proofs may pass what is not right. */
  false_passes: FalsePasses;
}

/** Counts of perturbed end states that are not right ones. */
export interface FalsePasses {
  judged: number;
  passed: number;
  /** End of the 95 % interval (Wilson); null where none was judged. */
  upper: number | null;
}

/** Decides by the policy. A pure function: the same facts give the same decision. */
export function decide(question: Question, facts: ClaimFacts): Decision {
  const isAsked = (row: FiguredRow): boolean => question.entrants.some((each) => isOf(each, row));
  const rows = those(facts.rows, isAsked);
  const episodes = those(rows, ran);
  const asked = {
    ...facts,
    rows,
    episodes,
    voided: facts.voided.filter(isAsked),
    oneSided: facts.oneSided.filter(isAsked),
  };
  const reasons = REASONS.flatMap(({ code, against }) => {
    const text = against(question, asked);
    return text === null ? [] : [{ code, text }];
  });
  const templates = clusterCount(episodes);
  return {
    policy_version: POLICY.version,
    question,
    grade: gradeOf(reasons.map(({ code }) => code)),
    scope: templates >= POLICY.least_templates ? 'tasks like these' : 'these tasks only',
    reasons,
    waivers: waiversOf(episodes, facts),
    false_passes: falsePassesOf(episodes, facts),
  };
}

function waiversOf(rows: readonly FiguredRow[], { tasks }: ClaimFacts): Waiver[] {
  return [...distinct(rows, cellOf)].flatMap((task) =>
    (tasks.get(task)?.waivers ?? []).map((waiver) => ({ task, ...waiver })),
  );
}

function falsePassesOf(rows: readonly FiguredRow[], { tasks }: ClaimFacts): FalsePasses {
  const proofs = [...distinct(rows, cellOf)].flatMap((task) => tasks.get(task)?.perturbed ?? []);
  const judged = proofs.reduce((sum, proof) => sum + proof.judged, 0);
  const passed = proofs.reduce((sum, proof) => sum + proof.passed, 0);
  return { judged, passed, upper: wilsonInterval(passed, judged)?.high ?? null };
}

function gradeOf(codes: readonly ReasonCode[]): Grade {
  if (codes.length === 0) return 'primary';
  if (codes.includes('harness_mode')) return 'scaffold';
  return codes.includes('too_few_repetitions') ? 'smoke' : 'diagnostic';
}

/** One record of a bundle that is off. */
export interface BundleProblem {
  /** Relative to the bundle, with `/`; of a line, with its number: `ledger.jsonl:12`. */
  file: string;
  /** The problem, with the field where there is one. */
  problem: string;
  /** `incomplete`: the run was ended early, which is no fault of what is there. */
  kind: 'broken' | 'incomplete';
}

export function fileProblem(file: string, problem: string): BundleProblem {
  return { file, problem, kind: 'broken' };
}

export function incomplete(file: string, problem: string): BundleProblem {
  return { file, problem, kind: 'incomplete' };
}

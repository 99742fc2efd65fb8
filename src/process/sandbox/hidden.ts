/** Places that a program must not see, though they may lie in a folder that it sees. */
export interface Hidden {
  /** Folders with contracts, solutions or verdicts: nothing in them is seen but the program's own files. */
  contracts: readonly string[];
  /** Folders of which a program sees nothing but its own folder and its modules, if those lie inside. */
  around: readonly string[];
}

export const NOTHING_HIDDEN: Hidden = { contracts: [], around: [] };

/** A third-party program that will attach to the browser, and its needs on this machine. */
export interface Confined {
  program: string;
  args: readonly string[];
  /** Places that it may read, and from where on upwards its modules are looked for. */
  folder: string;
  cwd: string | null;
  /** Its own files; they can be read even where the folder is hidden. */
  files: readonly string[];
  /** Other places that it needs to read. */
  readable: readonly string[];
  /** Variables in addition to PATH, HOME, TMPDIR and LANG. */
  variables: Readonly<Record<string, string>>;
  /** `shared` where it needs the network of this machine. */
  network: 'gateway' | 'shared';
}

/** Places that a program must not see, though they may lie in a folder that it sees. */
export interface Hidden {
  /** Folders with contracts, solutions or verdicts: only the program's own files in them are visible. */
  contracts: readonly string[];
  /** Folders of which a program sees nothing but its own folder and its modules, if those lie inside. */
  around: readonly string[];
}

export const NOTHING_HIDDEN: Hidden = { contracts: [], around: [] };

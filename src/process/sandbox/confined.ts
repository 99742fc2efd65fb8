/** A program of somebody's that is to attach to the browser, and what it needs of this machine. */
export interface Confined {
  program: string;
  args: readonly string[];
  /** Places that it may read, and from where on upwards its modules are looked for. */
  folder: string;
  /** Where it works; null: in its home. */
  cwd: string | null;
  /** Its own files; they can be read even where the folder is hidden. */
  files: readonly string[];
  /** Other places that it needs to read. */
  readable: readonly string[];
  /** Variables beside PATH, HOME, TMPDIR and LANG. */
  variables: Readonly<Record<string, string>>;
  /** `shared` where it needs the network of this machine. */
  network: 'gateway' | 'shared';
}

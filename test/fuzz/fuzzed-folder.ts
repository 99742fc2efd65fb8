import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { main } from '../../src/cli/program.ts';
import { mutatedBytes, mutatedJson, mutatedLines } from './json-mutations.ts';

type Random = () => number;

/** A copy of a folder in which one file at a time is changed, and put right again. */
export class FuzzedFolder {
  readonly root: string;
  readonly files: readonly string[];

  private constructor(root: string, files: readonly string[]) {
    this.root = root;
    this.files = files;
  }

  /** @param from copied into `inside`, as its only content */
  static async of(from: string, inside: string): Promise<FuzzedFolder> {
    const root = path.join(inside, path.basename(from));
    await cp(from, root, { recursive: true });
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const files = entries.filter((each) => each.isFile()).map((each) => path.join(each.parentPath, each.name));
    return new FuzzedFolder(root, files.toSorted());
  }

  /** Changes one file by chance, each kind of file as often as the others; what to call to put it right. */
  async change(random: Random): Promise<{ what: string; undo: () => Promise<void> }> {
    const kinds = [...new Set(this.files.map(kindOf))];
    const kind = kinds[Math.floor(random() * kinds.length)];
    const alike = this.files.filter((file) => kindOf(file) === kind);
    const file = alike[Math.floor(random() * alike.length)] ?? '';
    const bytes = await readFile(file);
    const how = random();
    await rm(file);
    if (how < 0.03) await symlink('/etc/passwd', file);
    else if (how > 0.06) await writeFile(file, mutated(file, bytes, random));
    const undo = async (): Promise<void> => {
      await rm(file, { force: true, recursive: true });
      await writeFile(file, bytes);
    };
    return { what: path.relative(this.root, file), undo };
  }
}

/** So that hundreds of blobs do not hide the one ledger. */
function kindOf(file: string): string {
  return path.basename(path.dirname(file)) === 'blobs' ? 'blob' : path.basename(file);
}

function mutated(file: string, bytes: Buffer, random: Random): Buffer | string {
  if (random() < 0.2) return mutatedBytes(bytes, random);
  try {
    if (file.endsWith('.json')) return mutatedJson(bytes.toString('utf8'), random);
    // YAML holds JSON.
    if (file.endsWith('.yaml')) return mutatedJson(JSON.stringify(parse(bytes.toString('utf8'))), random);
    if (file.endsWith('.jsonl')) return mutatedLines(bytes.toString('utf8'), random);
  } catch {
    // What is no JSON is bytes.
  }
  return mutatedBytes(bytes, random);
}

/** Longest that a command may take; far beyond its need, since busy machines are slow. */
const HANGS_MS = 120_000;

/** What is wrong with how a command ended: null for done, a gate not met, and bad input. */
export async function wrongEnd(args: readonly string[]): Promise<string | null> {
  const said: string[] = [];
  const take = (line: string): void => {
    said.push(line);
  };
  let timer: NodeJS.Timeout | undefined;
  const hung = new Promise<'hangs'>((resolve) => {
    timer = setTimeout(() => {
      resolve('hangs');
    }, HANGS_MS);
  });
  try {
    const exit = await Promise.race([main(args, { out: take, note: take }), hung]);
    if (exit === 'hangs') return 'hangs';
    return exit <= 2 ? null : `exit ${exit}: ${said.slice(-1).join('').slice(0, 1_500)}`;
  } catch (error) {
    return `throws ${String(error)}`;
  } finally {
    clearTimeout(timer);
  }
}

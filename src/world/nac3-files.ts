import { createHash } from 'node:crypto';

/** Where pages find the files of NAC3, whatever their origin. */
const FOLDER = '/nac3/';
const MANIFEST = 'manifest.json';

/** The files of NAC3 that an episode's pages were served; null: none, or not the same each time. */
export interface Nac3Served {
  /** First 12 hexadecimal digits of the manifest file's SHA-256, as `sha256sum manifest.json | head -c 12` prints them. */
  manifestChecksum: string | null;
  /** SHA-256 over the runtime's modules, as `sha256sum *.js | sha256sum` prints it in their folder. */
  runtimeHash: string | null;
}

/** Hashes of the very bytes that pages were served from `/nac3/`. */
export class Nac3Files {
  readonly #hashes = new Map<string, Set<string>>();

  /** Whether a response is such a file, whole. */
  static holds(method: string, url: string, status: number): boolean {
    return method === 'GET' && status === 200 && nameOf(url) !== null;
  }

  note(url: string, bytes: Uint8Array): void {
    const name = nameOf(url);
    if (name === null) return;
    const known = this.#hashes.get(name) ?? new Set();
    this.#hashes.set(name, known.add(createHash('sha256').update(bytes).digest('hex')));
  }

  served(): Nac3Served {
    const modules = [...this.#hashes].filter(([name]) => name.endsWith('.js')).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const lines = modules.flatMap(([name, hashes]) => [...hashes].map((hash) => `${hash}  ${name}\n`));
    const isOne = modules.length > 0 && lines.length === modules.length;
    const [manifest, ...others] = this.#hashes.get(MANIFEST) ?? [];
    return {
      manifestChecksum: manifest === undefined || others.length > 0 ? null : manifest.slice(0, 12),
      runtimeHash: isOne ? createHash('sha256').update(lines.join('')).digest('hex') : null,
    };
  }
}

/** The name of a module or manifest right in the folder; null for everything else. */
function nameOf(url: string): string | null {
  const { pathname } = new URL(url);
  const name = pathname.startsWith(FOLDER) ? pathname.slice(FOLDER.length) : '';
  return !name.includes('/') && (name === MANIFEST || name.endsWith('.js')) ? name : null;
}

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Fact } from '../../messages/message.ts';
import { fact } from '../../messages/messages.ts';
import { DatasetError } from '../dataset-error.ts';

export const MINIWOB = {
  name: 'miniwob',
  repository: 'https://github.com/Farama-Foundation/miniwob-plusplus',
  licence: 'MIT',
  /** Raised when the same checkout gives another suite. */
  version: 3,
} as const;

export const REGISTRATION = 'miniwob/registration.py';
/** The folder that the app serves. */
export const HTML = 'miniwob/html';

/** A page of which no task is made, or one seed of it, and why. */
export interface ExcludedPage {
  id: string;
  seed: number | null;
  line: number | null;
  why: Fact;
  /** Whether the checkout is to blame, so that the import fails. */
  isProblem: boolean;
}

export interface RegisteredPage {
  id: string;
  line: number;
}

/** Pages that pay for wrong ends in ways that no contract here can see. */
const PAID_WRONGLY = new Map<string, Fact>([
  [
    'daily-calendar',
    fact('miniwob_pays', { what: 'an event that ends within the hours asked for, but begins before them' }),
  ],
  ['stock-market', fact('miniwob_pays', { what: 'a price that equals the one that it is to be less than' })],
  ['use-colorwheel', fact('miniwob_pays', { what: 'any colour, by its likeness' })],
  ['use-colorwheel-2', fact('miniwob_pays', { what: 'any colour, by its likeness' })],
]);

/** The raw reward that counts as full on pages that measure a distance; 1 on all others. */
const GEOMETRIC = new Set([
  'bisect-angle',
  'circle-center',
  'draw-circle',
  'draw-line',
  'find-midpoint',
  'right-angle',
]);
const GEOMETRIC_THRESHOLD = 0.9;

export function thresholdOf(id: string): number {
  return GEOMETRIC.has(id) ? GEOMETRIC_THRESHOLD : 1;
}

/** Targets that something drawn at random may cover. */
const COVERABLE = new Map([['click-test-2', '#subbtn']]);

export function coverableIn(id: string): string | null {
  return COVERABLE.get(id) ?? null;
}

/** Lists the registered pages of a checkout: those to import, and those excluded. @throws DatasetError for any other folder */
export async function registeredPages(
  checkout: string,
): Promise<{ pages: RegisteredPage[]; excluded: ExcludedPage[] }> {
  const file = path.join(checkout, REGISTRATION);
  if (!existsSync(file)) {
    throw new DatasetError(fact('rows_not_found', { place: checkout, dataset: MINIWOB.name, file: REGISTRATION }));
  }
  const pages: RegisteredPage[] = [];
  const excluded: ExcludedPage[] = [];
  for (const [at, text] of (await readFile(file, 'utf8')).split('\n').entries()) {
    const id = /^\s*id="miniwob\/(.+)-v\d+",?\s*$/.exec(text)?.[1];
    if (id === undefined) continue;
    const why = whyExcluded(checkout, id, new Set(pages.map((page) => page.id)));
    if (why === null) pages.push({ id, line: at + 1 });
    else excluded.push({ id, seed: null, line: at + 1, ...why });
  }
  return { pages: pages.toSorted((a, b) => (a.id < b.id ? -1 : 1)), excluded };
}

function whyExcluded(
  checkout: string,
  id: string,
  earlier: ReadonlySet<string>,
): Pick<ExcludedPage, 'why' | 'isProblem'> | null {
  if (id.startsWith('flight.')) return { why: fact('miniwob_flight'), isProblem: false };
  const pays = PAID_WRONGLY.get(id);
  if (pays !== undefined) return { why: pays, isProblem: false };
  if (earlier.has(id)) return { why: fact('name_taken'), isProblem: true };
  const file = `${HTML}/miniwob/${id}.html`;
  const isPage = /^[a-z\d]+(-[a-z\d]+)*$/.test(id) && existsSync(path.join(checkout, file));
  return isPage ? null : { why: fact('file_not_found', { path: file }), isProblem: true };
}

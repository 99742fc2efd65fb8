import type { Row } from '../bundle/row.ts';
import type { FiguredRow } from './figured-row.ts';
import { type Entrant, entrantName } from './figures.ts';

type Isolation = NonNullable<Row['process_isolation']>;

/** Why the rows of a process are diagnostic; null if it could reach only the gateway. */
export function whyDiagnostic({ by, network }: Isolation): string | null {
  if (by === 'none') return 'the agent could read the files of the machine';
  return network === 'gateway'
    ? null
    : 'the agent could reach the network of this machine, and the apps past the browser';
}

/** Whether the entrant of a row could have reached more than the gateway. Isolation without a record is not assumed. */
export function isNotKeptApart({ decider, process_isolation: isolation }: FiguredRow): boolean {
  return isolation === null ? decider === 'process' : whyDiagnostic(isolation) !== null;
}

/** Whether the browser of a row could have shown more than the world. Older rows lack the field and stay as judged. */
export function isBrowserNotKeptApart({ browser }: FiguredRow): boolean {
  return browser?.isolation !== undefined && browser.isolation !== 'bubblewrap';
}

/** Entrants whose episodes ran next to others and could have reached their browsers and apps. */
export function whoReachedOthers(rows: readonly FiguredRow[]): Entrant[] {
  const reaching = rows.filter((row) => row.concurrency !== undefined && isNotKeptApart(row));
  return [...new Map(reaching.map((row) => [entrantName(row), { agent: row.agent, surface: row.surface }])).values()];
}

/** Other entrants that could have reached these: gateways and worlds ask for no password. */
export function rivalsOf(
  entrants: readonly Entrant[],
  { episodes, reaching }: { episodes: readonly FiguredRow[]; reaching: readonly Entrant[] },
): Entrant[] {
  if (!episodes.some(({ concurrency }) => concurrency !== undefined)) return [];
  const own = new Set(entrants.map(entrantName));
  return reaching.filter((each) => !own.has(entrantName(each)));
}

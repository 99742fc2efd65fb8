import type { RecordListener } from '../run/record/record-suite.ts';
import type { Archive } from '../world/archive/archive.ts';
import { type ArchiveChanges, sizesByHost } from '../world/archive/changes.ts';
import type { NotRecorded } from '../world/archive/har.ts';
import type { Renewed } from '../world/archive/renew.ts';
import type { Terminal } from './terminal.ts';

/** Lowest status of a response by which a site says that it has not done what it was asked for. */
const REFUSED = 400;

/** Prints the progress of `record`. */
export function recordingLines({ note }: Terminal): RecordListener {
  return {
    route: ({ page, expected }, status, detail) => {
      const more = detail === null ? '' : `, ${detail}`;
      note(`${page}: ${status}${status === expected ? '' : `, not ${expected}`}${more}`);
    },
    withoutRoute: (task) => note(`${task}: no solution`),
    page: (url) => note(`  ${url}`),
    unreadable: (url, why) => note(`cannot be judged: ${url} (${why})`),
    heavy: (url, lookMs, capMs) =>
      note(`one look takes ${seconds(lookMs)} of the ${seconds(capMs)} that its task has: ${url}`),
    closed: (url, why) => note(`  could not be opened: ${url} (${why})`),
  };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Prints what an archive holds by host, what a site refused, and what is missing. */
export function describeArchive(
  { exchanges: recorded }: Pick<Archive, 'exchanges'>,
  notRecorded: readonly NotRecorded[],
  terminal: Terminal,
): void {
  const hosts = sizesByHost(recorded);
  const width = Math.max(4, ...hosts.map(({ host }) => host.length));
  terminal.out(`${'host'.padEnd(width)}  exchanges       bytes`);
  for (const { host, exchanges, bytes } of hosts)
    terminal.out(`${host.padEnd(width)}  ${String(exchanges).padStart(9)}  ${String(bytes).padStart(10)}`);
  const refused = recorded.filter(({ status }) => status >= REFUSED);
  for (const line of new Set(refused.map(({ status, method, url }) => `answered with ${status}: ${method} ${url}`)))
    terminal.note(line);
  for (const { method, url, why } of notRecorded) terminal.note(`not recorded: ${method} ${url} (${why})`);
}

/** Prints what a new recording keeps of the old one, and what it no longer has. */
export function listRenewed({ notAsked, stands }: Renewed, terminal: Terminal): void {
  for (const name of notAsked) terminal.note(`not requested this time: ${name}`);
  for (const name of stands) terminal.note(`no answer this time, so kept as it was: ${name}`);
}

export function listChanges(changes: ArchiveChanges, terminal: Terminal): void {
  for (const [what, names] of Object.entries({ ...changes })) {
    terminal.out(`${what}: ${names.length}`);
    for (const name of names) terminal.note(`  ${what} ${name}`);
  }
}

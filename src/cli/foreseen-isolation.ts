import type { Entrants } from '../plan/entrants.ts';
import type { Plan } from '../plan/plan.ts';
import { type ProcessIsolation, isolationHere } from '../process/sandbox/launch.ts';

/** Sentences about how this machine keeps programs of others apart. */
export const KEPT_APART: Record<ProcessIsolation['by'], string> = {
  bubblewrap: 'agents and tool servers run in Bubblewrap, and see no files but their own',
  user: 'agents and tool servers run as a user of their own, who must not be able to read suites and bundles, and on your network (diagnostic)',
  none: 'nothing keeps agents and tool servers from your files and your network (diagnostic)',
};

/** Says what keeps the programs of a plan's entrants apart here, and who says why it is no sandbox; null where the plan starts none. */
export function foreseenIsolation(
  { entrants: planned }: { entrants: readonly Pick<Plan['entrants'][number], 'surface'>[] },
  entrants: Pick<Entrants, 'surface'>,
): { by: ProcessIsolation['by']; text: string } | null {
  if (!planned.some(({ surface }) => entrants.surface(surface).needs === 'endpoint')) return null;
  const { by } = isolationHere();
  const text = by === 'bubblewrap' ? KEPT_APART[by] : `${KEPT_APART[by]}; "touchstone doctor" says why`;
  return { by, text };
}

import { packageRoot } from '../plan/package-root.ts';
import type { IsolationHere, ProcessIsolation } from '../process/sandbox/launch.ts';
import { isolationHere } from '../process/sandbox/launch.ts';
import { hiddenWith } from '../run/cell-agents.ts';
import type { Planned } from './planning.ts';

/** Sentences about how this machine keeps programs of others apart. */
const KEPT_APART: Record<ProcessIsolation['by'], string> = {
  bubblewrap: 'agents and tool servers run in Bubblewrap, and see no files but their own',
  user: 'agents and tool servers run as a user of their own, who cannot read suites and bundles, and on your network (diagnostic)',
  none: 'nothing keeps agents and tool servers from your files and your network (diagnostic)',
};

/** Says how programs of others are kept apart, and why not better. */
export function keptApartText({ by, noSandbox, noUser }: IsolationHere): string {
  const reasons = [
    ...(noUser === null ? [] : [`why not as a user of their own: ${noUser}`]),
    ...(noSandbox === null ? [] : [`why not in Bubblewrap: ${noSandbox.why}`]),
  ];
  return [KEPT_APART[by], ...reasons].join('; ');
}

/** Where it is not said what is to be run: suites and bundles of this folder, and those that come with us. */
export function isolationOfThisFolder(): IsolationHere {
  return isolationHere({ places: [packageRoot()], contracts: hiddenWith([], 'bundles').contracts });
}

/**
 * Says what keeps the programs of a plan's entrants apart here, and why not better; null where the plan starts none. Of
 * several it is the one that is kept apart least.
 */
export function foreseenIsolation(
  { plan, entrants, suites }: Pick<Planned, 'plan' | 'entrants' | 'suites'>,
  bundle: string,
): { by: ProcessIsolation['by']; text: string } | null {
  const { contracts } = hiddenWith(suites, bundle);
  const started = plan.entrants.flatMap(({ agent, surface }) => {
    if (entrants.surface(surface).needs !== 'endpoint') return [];
    const own = entrants.agent(agent).foreseen?.();
    // A server has nothing hidden from it but what lies near it.
    return own === undefined ? { places: [], contracts: [] } : { ...own, contracts: [...contracts, ...own.contracts] };
  });
  const alike = new Map(started.map((each) => [JSON.stringify(each), each]));
  const all = [...alike.values()].map(isolationHere);
  const least = all.find(({ by }) => by === 'none') ?? all[0];
  if (least === undefined) return null;
  const text = keptApartText(least);
  return { by: least.by, text: least.by === 'bubblewrap' ? text : `${text}; "touchstone doctor" says what helps` };
}

import { BrowserError } from '../browser/error.ts';
import { type BrowserKind, findBrowser } from '../browser/find.ts';
import { whyNotConfined } from '../process/sandbox/browser.ts';
import { Entrants } from '../plan/entrants.ts';
import { packageRoot } from '../plan/package-root.ts';
import { NO_TOOLS } from '../surface/traits.ts';
import {
  isolationHere,
  type IsolationHere,
  type ProcessIsolation,
  type ProcessNeeds,
} from '../process/sandbox/launch.ts';
import { hiddenWith } from '../run/cell-agents.ts';
import type { Planned } from './planning.ts';

type Who = 'agents' | 'tool servers' | 'agents and tool servers';

/** Sentences about how this machine isolates foreign programs. */
const KEPT_APART: Record<ProcessIsolation['by'], (who: Who) => string> = {
  bubblewrap: (who) => `${who} run in Bubblewrap, and see no files but their own`,
  user: (who) => `${who} run as a separate user that cannot read suites and bundles, but on your network (diagnostic)`,
  none: (who) => `${who} can reach all of your files and your network (diagnostic)`,
};

interface KindIsolation {
  who: Who;
  isolation: IsolationHere;
}

function sentencesOf(kinds: readonly KindIsolation[]): string[] {
  return kinds.map(({ who, isolation: { by } }) => KEPT_APART[by](who));
}

/**
 * Describes how foreign programs are isolated, and why not better. If Bubblewrap only has to be installed, a separate user, which is
 * worse and harder to set up, is not mentioned.
 */
function keptApartText(kinds: readonly KindIsolation[]): string {
  const sandboxes = new Set(kinds.flatMap(({ isolation: { noSandbox } }) => noSandbox?.why ?? []));
  const users = new Set(
    kinds.flatMap(({ isolation: { noUser, noSandbox } }) => (noSandbox?.isOnlyAbsent === true ? [] : (noUser ?? []))),
  );
  return [
    ...sentencesOf(kinds),
    ...[...users].map((why) => `not as a separate user, because ${why}`),
    ...[...sandboxes].map((why) => `not in Bubblewrap, because ${why}`),
  ].join('; ');
}

/** Whether a browser that Touchstone launches runs in a sandbox here, and why not. */
export function browserIsolationHere(kind: BrowserKind): Pick<IsolationHere, 'by' | 'noSandbox'> {
  const noSandbox = whyNotHere(kind);
  return { by: noSandbox === null ? 'bubblewrap' : 'none', noSandbox };
}

function whyNotHere(kind: BrowserKind): IsolationHere['noSandbox'] {
  try {
    const binary = findBrowser(kind);
    return binary === null ? null : whyNotConfined(binary.path, null);
  } catch (error) {
    if (error instanceof BrowserError && error.code === 'browser_not_a_program') return null;
    throw error;
  }
}

/** Describes isolation without a plan: from the suites and bundles of this folder and the package, for all tool servers. */
export async function isolationOfThisFolder(): Promise<{ noSandbox: IsolationHere['noSandbox']; text: string }> {
  const { contracts } = hiddenWith([], 'bundles');
  const agents = isolationHere({ places: [process.execPath, packageRoot()], contracts });
  const { surfaces } = await Entrants.load();
  const servers = leastOf(
    surfaces.flatMap((surface) => ('processNeeds' in surface ? (surface.processNeeds?.() ?? []) : [])),
  );
  return { noSandbox: agents.noSandbox, text: keptApartText(together(agents, servers)) };
}

export type Previewed = Pick<Planned, 'plan' | 'suites' | 'entrants'>;

/**
 * Describes how the programs of a plan's entrants are isolated, and why not better; null if the plan starts none. For several
 * programs of a kind, the least isolated counts.
 */
export function previewIsolation(
  { plan, entrants, suites }: Previewed,
  bundle: string,
): { by: ProcessIsolation['by']; brief: string; text: string } | null {
  const { contracts } = hiddenWith(suites, bundle);
  const agents: ProcessNeeds[] = [];
  const servers: ProcessNeeds[] = [];
  for (const { agent, surface } of plan.entrants) {
    const through = entrants.surface(surface);
    if (through.needs !== 'endpoint') continue;
    const server = through.processNeeds?.() ?? null;
    if (server !== null) servers.push(server);
    const own = through.toolsOf === NO_TOOLS ? entrants.agent(agent).processNeeds?.() : undefined;
    // A server cannot read the files near it; an agent cannot read the suites of the run either.
    if (own !== undefined) agents.push({ ...own, contracts: [...contracts, ...own.contracts] });
  }
  const kinds = together(leastOf(agents), leastOf(servers));
  const by = MIN_FIRST.find((each) => kinds.some(({ isolation }) => isolation.by === each));
  if (by === undefined) return null;
  const text = keptApartText(kinds);
  const brief = sentencesOf(kinds).join('; ');
  return by === 'bubblewrap'
    ? { by, brief, text }
    : { by, brief: `${brief}; ${WHERE_TO_LOOK}`, text: `${text}; ${WHERE_TO_LOOK}` };
}

export const WHERE_TO_LOOK = '"touchstone doctor" gives the reason and the remedy';

const MIN_FIRST = ['none', 'user', 'bubblewrap'] as const;

function leastOf(programs: readonly ProcessNeeds[]): IsolationHere | null {
  const distinct = new Map(programs.map((each) => [JSON.stringify(each), each]));
  const all = [...distinct.values()].map(isolationHere);
  return MIN_FIRST.flatMap((least) => all.find(({ by }) => by === least) ?? [])[0] ?? null;
}

/** Describes both kinds, together if they are isolated in the same way. */
function together(agents: IsolationHere | null, servers: IsolationHere | null): KindIsolation[] {
  if (agents !== null && agents.by === servers?.by) return [{ who: 'agents and tool servers', isolation: agents }];
  return [
    ...(agents === null ? [] : [{ who: 'agents', isolation: agents } satisfies KindIsolation]),
    ...(servers === null ? [] : [{ who: 'tool servers', isolation: servers } satisfies KindIsolation]),
  ];
}

import { hashJson } from '../src/contract/canonical.ts';
import type { Where } from '../src/fault/fault-kind.ts';
import { FAULT_KINDS, Fault, faultKindOf, FaultProfile } from '../src/fault/schema.ts';

/** How many surfaces of each sort there are, and how many tasks and agents go through them. */
interface Grid {
  builtIn: number;
  servers: number;
  /** Tasks times agents. */
  each: number;
}

/** Faults drawn by a seed, short ones, at least one, until at least so many episodes run: clean ones, and those with a fault that applies. */
export function randomProfile(seed: number, episodes: number, { builtIn, servers, each }: Grid): FaultProfile {
  const faults: Fault[] = [];
  const common = { drivesItself: false, showsPages: true };
  let running = (builtIn + servers) * each;
  do {
    const fault = randomFault(seed, faults.length);
    faults.push(fault);
    const isBuiltIn = faultKindOf(fault).whyNot({ ...common, hasServer: false }) === null;
    running += each * (servers + (isBuiltIn ? builtIn : 0));
  } while (running < episodes);
  return FaultProfile.parse({ id: 'random', about: `Drawn by the seed ${seed}.`, faults });
}

function randomFault(seed: number, index: number): Fault {
  const draw = (what: string, count: number): number =>
    Number.parseInt(hashJson({ seed, index, what }).slice(0, 8), 16) % count;
  const { kind, where } = FAULT_KINDS[draw('kind', FAULT_KINDS.length)] ?? FAULT_KINDS[0];
  const id = `random-${index}-${kind.replaceAll('_', '-')}`;
  const places: Partial<Record<Where, object>> = {
    network: { nth: 1 + draw('nth', 3), times: 1 + draw('times', 2) },
    page: {},
  };
  const place = places[where] ?? { call: 1 + draw('call', 5) };
  return Fault.parse({ id, kind, ms: 100 + draw('ms', 900), ...place });
}

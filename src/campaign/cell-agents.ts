import path from 'node:path';
import type { LoadedSuite } from '../task/load-suite.ts';
import { taskName } from '../task/instance.ts';
import { type AgentForCell, impossiblePair } from './agents.ts';
import type { Entrants } from './entrants.ts';
import { packageRoot } from './package-root.ts';
import type { PlannedEpisode } from './plan.ts';

type Cell = Pick<PlannedEpisode, 'planned' | 'agent' | 'surface'>;

/**
 * The agents of a campaign's cells, made once before anything runs: so a broken transcript is bad input and not a failed
 * episode, and what is replayed is what was hashed.
 */
export class CellAgents {
  readonly #agents = new Map<string, AgentForCell>();
  /** SHA-256 of every transcript that is replayed, by file. */
  readonly transcriptHashes: Record<string, string> = {};

  /**
   * @param bundle the folder of the campaign, which holds its contracts
   * @throws AgentError when what an agent is to be made from is broken.
   */
  static async make(
    cells: readonly Cell[],
    suites: readonly LoadedSuite[],
    entrants: Entrants,
    bundle: string,
  ): Promise<CellAgents> {
    const made = new CellAgents();
    const hidden = placesOfContracts(suites, bundle);
    const folders = new Map(suites.map(({ id, file }) => [id, path.dirname(file)]));
    for (const cell of cells) {
      if (made.#agents.has(keyOf(cell))) continue;
      const { task, suite } = cell.planned;
      const suiteFolder = folders.get(suite);
      if (suiteFolder === undefined) throw new Error(`suite ${suite} is in the plan and was not loaded`);
      const choice = entrants.agent(cell.agent);
      const impossible = impossiblePair(choice, cell.surface);
      const chosen =
        impossible === null
          ? await choice.forCell({ task, surface: cell.surface, suiteFolder, hidden })
          : { notApplicable: impossible };
      made.#agents.set(keyOf(cell), chosen);
      if ('agent' in chosen && chosen.transcript !== null) {
        made.transcriptHashes[chosen.transcript.name] = chosen.transcript.sha256;
      }
    }
    return made;
  }

  of(cell: Cell): AgentForCell {
    return this.#agents.get(keyOf(cell)) ?? { notApplicable: 'the cell is not in the plan' };
  }
}

/** Where contracts, solutions and earlier episodes lie. */
function placesOfContracts(suites: readonly LoadedSuite[], bundle: string): string[] {
  const ours = ['suites', 'apps', 'bundles'].map((name) => path.join(packageRoot(), name));
  const theirs = [...suites.map(({ file }) => path.dirname(file)), bundle, 'bundles'];
  return [...new Set([...ours, ...theirs.map((place) => path.resolve(place))])];
}

function keyOf({ planned, agent, surface }: Cell): string {
  return [planned.suite, taskName(planned.task), agent, surface].join('/');
}

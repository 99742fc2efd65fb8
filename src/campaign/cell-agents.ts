import path from 'node:path';
import type { Hidden } from '../agent/exec/hidden.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
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
    const hidden = hiddenWith(suites, bundle);
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

/** Where contracts, solutions and earlier episodes lie, and our own folder, which holds more of the kind. */
function hiddenWith(suites: readonly LoadedSuite[], bundle: string): Hidden {
  const root = packageRoot();
  const ours = ['suites', 'apps', 'bundles', 'docs'].map((name) => path.join(root, name));
  const theirs = [...suites.map(({ file }) => path.dirname(file)), bundle, 'bundles'];
  return { contracts: [...new Set([...ours, ...theirs.map((place) => path.resolve(place))])], around: [root] };
}

function keyOf({ planned, agent, surface }: Cell): string {
  return [planned.suite, planned.task.id, agent, surface].join('/');
}

import path from 'node:path';
import type { Hidden } from '../process/sandbox/confined.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import type { Redactor } from '../bundle/redact.ts';
import { type Credentials, withCredentials } from '../task/auth.ts';
import { traitsOf } from '../surface/traits.ts';
import { taskName } from '../task/instance.ts';
import type { AgentForCell } from '../agent/agent-choice.ts';
import { unseenPictures, impossiblePair, hasAppTools, missingTools, missingUpload } from '../plan/possible-pair.ts';
import type { Entrants } from '../plan/entrants.ts';
import { packageRoot } from '../plan/package-root.ts';
import type { PlannedEpisode } from '../plan/plan.ts';

type Cell = Pick<PlannedEpisode, 'planned' | 'agent' | 'surface' | 'iteration'>;

/** Everything that agents are made from besides their cells. */
export interface CellMaterials {
  suites: readonly LoadedSuite[];
  entrants: Entrants;
  /** Folder of the campaign, which holds its contracts. */
  bundle: string;
  redactor: Redactor;
  /** By suite. */
  credentials: ReadonlyMap<string, Credentials>;
}

/**
 * Holds the agents of a campaign's cells. They are made once, before anything runs, so that a broken transcript is bad input and not
 * a failed episode, and that the hashes are of the replayed bytes.
 */
export class CellAgents {
  readonly #agents = new Map<string, AgentForCell>();
  /** SHA-256 of every replayed transcript and cassette, by file. */
  readonly transcriptHashes: Record<string, string> = {};

  /** @throws AgentError when an agent's material is broken, or its key is missing */
  static async make(
    cells: readonly Cell[],
    { suites, entrants, bundle, redactor, credentials }: CellMaterials,
  ): Promise<CellAgents> {
    const made = new CellAgents();
    const hidden = hiddenWith(suites, bundle);
    for (const cell of withSuites(cells, suites)) {
      const choice = entrants.agent(cell.agent);
      // Only models have an agent for each repetition, in which its replies were recorded.
      const key = keyOf(cell, choice.decider === 'model');
      if (made.#agents.has(key)) continue;
      const { planned, surface, iteration, whole } = cell;
      const { suite } = planned;
      const task = withCredentials(planned.task, credentials.get(suite) ?? {});
      const suiteFolder = path.dirname(whole.file);
      const through = entrants.surface(surface);
      const traits = traitsOf(through);
      const impossible = impossibleCell(cell, entrants, whole);
      const chosen =
        impossible === null
          ? await choice.forCell({
              suite,
              task,
              fault: planned.fault?.id ?? null,
              surface,
              interaction: traits.interaction,
              solutionFor: hasAppTools(traits) ? 'tools' : 'page',
              lacksSteps: traits.lacks_steps,
              iteration,
              suiteFolder,
              hidden,
              redact: (text) => redactor.text(text),
            })
          : { notApplicable: impossible };
      made.#agents.set(key, chosen);
      if ('agent' in chosen && chosen.transcript !== null) {
        made.transcriptHashes[chosen.transcript.name] = chosen.transcript.sha256;
      }
    }
    return made;
  }

  of(cell: Cell): AgentForCell {
    const agent = this.#agents.get(keyOf(cell, true)) ?? this.#agents.get(keyOf(cell, false));
    return agent ?? { notApplicable: 'the cell is not in the plan' };
  }
}

/** Adds to each cell its suite, of which a plan has only the id. */
export function withSuites<T extends Pick<Cell, 'planned'>>(
  cells: readonly T[],
  suites: readonly LoadedSuite[],
): (T & { whole: LoadedSuite })[] {
  return cells.flatMap((cell) =>
    suites.filter(({ id }) => id === cell.planned.suite).map((whole) => ({ ...cell, whole })),
  );
}

/** Returns why an entrant cannot run a task; null if nothing rules it out before agents are made. */
export function impossibleCell(
  { planned: { task }, agent, surface }: Pick<Cell, 'planned' | 'agent' | 'surface'>,
  entrants: Entrants,
  { world }: Pick<LoadedSuite, 'world'>,
): string | null {
  const [choice, through] = [entrants.agent(agent), entrants.surface(surface)];
  return (
    impossiblePair(choice, surface, traitsOf(through)) ??
    unseenPictures(choice, through) ??
    missingTools(through, world, task.startUrl) ??
    missingUpload(surface, traitsOf(through), task)
  );
}

/** The folders that hold contracts, solutions and earlier episodes. */
export function hiddenWith(suites: readonly Pick<LoadedSuite, 'file'>[], bundle: string): Hidden {
  const root = packageRoot();
  const ours = ['suites', 'apps', 'bundles', 'docs'].map((name) => path.join(root, name));
  const theirs = [...suites.map(({ file }) => path.dirname(file)), bundle, 'bundles'];
  return { contracts: [...new Set([...ours, ...theirs.map((place) => path.resolve(place))])], around: [root] };
}

function keyOf({ planned, agent, surface, iteration }: Cell, isOfIteration: boolean): string {
  return [
    planned.suite,
    taskName(planned.task),
    planned.fault?.id ?? '',
    agent,
    surface,
    ...(isOfIteration ? [iteration] : []),
  ].join('/');
}

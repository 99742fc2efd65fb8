import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Isolation } from '../browser/pool.ts';
import { sha256Hex } from '../contract/canonical.ts';
import { mcpSurface } from '../surface/mcp/mcp-surface.ts';
import { readServerFile } from '../surface/mcp/server-file.ts';
import { aria } from '../surface/aria/aria.ts';
import { playwright } from '../surface/playwright/playwright.ts';
import { puppeteer } from '../surface/puppeteer/puppeteer.ts';
import { stagehand } from '../surface/stagehand/stagehand.ts';
import type { Surface } from '../surface/surface.ts';
import { formatProblem } from '../task/source/source.ts';
import { type AgentChoice, AGENTS } from './agents.ts';
import { CampaignError } from './error.ts';
import { packageRoot } from './package-root.ts';

/** What may enter a campaign: the agents and surfaces that are built in, and those of files that were named. */
export class Entrants {
  readonly agents: readonly AgentChoice[];
  readonly surfaces: readonly Surface[];
  /** SHA-256 of each, by the id of what it describes. */
  readonly fileHashes: Readonly<Record<string, string>>;

  readonly #ofFiles: ReadonlyMap<string, Surface>;

  private constructor(
    builtIn: readonly Surface[],
    ofFiles: ReadonlyMap<string, Surface>,
    hashes: Record<string, string>,
  ) {
    this.agents = AGENTS;
    this.surfaces = [...builtIn, ...ofFiles.values()];
    this.fileHashes = hashes;
    this.#ofFiles = ofFiles;
  }

  /**
   * @param files of tool servers, beside what is built in
   * @throws CampaignError holding every problem of a file, or naming an id that is taken.
   */
  static async load(files: readonly string[] = []): Promise<Entrants> {
    const folder = path.join(packageRoot(), 'surfaces');
    const ours = (await readdir(folder)).toSorted().map((name) => path.join(folder, name));
    const builtIn: Surface[] = [aria, playwright, puppeteer, stagehand, ...(await Promise.all(ours.map(toolServer)))];
    const ofFiles = new Map<string, Surface>();
    const hashes: Record<string, string> = {};
    for (const file of files) {
      const surface = await toolServer(file);
      if ([...builtIn, ...ofFiles.values()].some(({ id }) => id === surface.id)) {
        throw new CampaignError('bad_plan', `${file}: the id "${surface.id}" is taken`, 'give the server another id');
      }
      ofFiles.set(file, surface);
      hashes[surface.id] = sha256Hex(await readFile(file));
    }
    return new Entrants(builtIn, ofFiles, hashes);
  }

  /** The files that were named, as they were named. */
  get files(): string[] {
    return [...this.#ofFiles.keys()];
  }

  /** @throws CampaignError naming what there is to choose from. */
  agent(id: string): AgentChoice {
    return named(this.agents, id, 'agent');
  }

  /**
   * @param name an id, or a file that was named
   * @throws CampaignError naming what there is to choose from.
   */
  surface(name: string): Surface {
    return this.#ofFiles.get(name) ?? named(this.surfaces, name, 'surface');
  }
}

/** Whether what stands on the command line is a file, and no id: ids have neither dots nor slashes. */
export function isFileName(name: string): boolean {
  return /[./\\]/.test(name);
}

/** How an episode is kept apart: a tool that attaches to a browser has one of its own, whatever was asked for. */
export function isolationFor({ needs }: Surface, asked: Isolation): Isolation {
  return needs === 'endpoint' ? 'browser' : asked;
}

async function toolServer(file: string): Promise<Surface> {
  const read = await readServerFile(file);
  if (read.ok) return mcpSurface(read.value);
  const problems = read.problems.map((problem) => formatProblem(problem)).join('\n');
  throw new CampaignError('bad_plan', problems, 'mend the file; docs/surfaces.md describes it');
}

function named<T extends { id: string }>(known: readonly T[], id: string, what: string): T {
  const found = known.find((each) => each.id === id);
  if (found !== undefined) return found;
  throw new CampaignError(
    'bad_plan',
    `there is no ${what} "${id}"`,
    `choose from ${known.map((each) => each.id).join(', ')}`,
  );
}

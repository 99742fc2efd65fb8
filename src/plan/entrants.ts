import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AgentChoice } from '../agent/agent-choice.ts';
import { AGENTS } from '../agent/built-in.ts';
import { type LoadedCommand, loadCommand } from '../agent/exec/command.ts';
import { commandAgent } from '../agent/exec/exec-agent.ts';
import { PROTOCOL } from '../agent/exec/protocol.ts';
import { ownModelIn } from '../agent/model-names.ts';
import type { ModelSetup } from '../agent/model/setup.ts';
import type { Isolation } from '../browser/pool.ts';
import { hashJson, sha256Hex } from '../contract/canonical.ts';
import { messageOf } from '../contract/message-of.ts';
import { nearestName } from '../contract/nearest-name.ts';
import { BUILT_IN } from '../surface/built-in.ts';
import { manifestFileOf, nac3With } from '../surface/nac3/nac3.ts';
import { mcpSurface } from '../surface/mcp/mcp-surface.ts';
import { readServerFile, type ServerFile } from '../surface/mcp/server-file.ts';
import { baseOfOneShot, oneShot, ownSurface } from '../surface/surface-ids.ts';
import type { Surface } from '../surface/surface.ts';
import { formatProblem } from '../task/source/source.ts';
import { fact } from '../messages/messages.ts';
import { CampaignError } from './error.ts';
import { packageRoot } from './package-root.ts';

export interface EntrantFiles {
  agents: readonly string[];
  surfaces: readonly string[];
}

/** The agents and surfaces that may enter a campaign: built-in ones, and those from files. */
export class Entrants {
  readonly files: EntrantFiles;
  /** SHA-256 of each, by the id in it. */
  readonly fileHashes: Record<string, string> = {};
  /** Names of environment variables that entrants get and whose values are secrets. */
  readonly secrets: string[] = [];
  readonly #agents: AgentChoice[] = [...AGENTS];
  readonly #surfaces: Surface[];
  readonly #ofFiles = { agents: new Map<string, AgentChoice>(), surfaces: new Map<string, Surface>() };

  private constructor(surfaces: readonly Surface[], files: EntrantFiles) {
    this.#surfaces = [...surfaces];
    this.files = files;
  }

  /**
   * @param files of agents, tool servers and NAC3 manifests (`nac3:<file>`)
   * @param others agents that only one of our commands uses
   * @param models null if no model takes part, so that none of their code is loaded
   * @throws CampaignError or AgentError with every problem of a file, or an id that is taken.
   */
  static async load(
    { agents = [], surfaces = [] }: Partial<EntrantFiles> = {},
    models: ModelSetup | null = null,
    others: readonly AgentChoice[] = [],
  ): Promise<Entrants> {
    const folder = path.join(packageRoot(), 'surfaces');
    const ours = (await readdir(folder)).toSorted().map((name) => path.join(folder, name));
    const builtIn = [
      ...BUILT_IN,
      ...(await Promise.all(ours.map(serverIn))).map((file) => mcpSurface(file)),
      ownSurface(PROTOCOL),
    ];
    const entrants = new Entrants(builtIn, { agents, surfaces });
    entrants.#agents.push(...others);
    if (models !== null) entrants.#agents.push(...(await import('../agent/model/setup.ts')).modelAgents(models));
    for (const file of new Set(surfaces)) {
      const manifest = manifestFileOf(file);
      if (manifest === null) await entrants.#addServer(file);
      else await entrants.#addManifest(file, manifest);
    }
    for (const file of new Set(agents)) entrants.#addAgent(file, loadCommand(file));
    return entrants;
  }

  get agents(): readonly AgentChoice[] {
    return this.#agents;
  }

  get surfaces(): readonly Surface[] {
    return this.#surfaces;
  }

  /**
   * @param name an id or a file
   * @throws CampaignError naming the choices.
   */
  agent(name: string): AgentChoice {
    const alias = this.agents.find(({ aliases }) => aliases?.includes(name));
    return this.#ofFiles.agents.get(name) ?? alias ?? named(this.agents, name, 'agent');
  }

  /**
   * @param name an id or a file; `<id>:one-shot` is the same surface, planned for at once
   * @throws CampaignError naming the choices.
   */
  surface(name: string): Surface {
    const base = baseOfOneShot(name);
    if (base !== null) return oneShot(this.surface(base));
    return this.#ofFiles.surfaces.get(name) ?? named(this.surfaces, name, 'surface');
  }

  async #addServer(file: string): Promise<void> {
    const read = await serverIn(file);
    this.#addSurface(file, mcpSurface(read), await readFile(file));
    this.secrets.push(...read.server.secrets);
  }

  async #addManifest(name: string, file: string): Promise<void> {
    const bytes = await manifestIn(file);
    const surface = nac3With(file, bytes);
    if (surface === null)
      throw new CampaignError(fact('bad_manifest', { file, why: 'its name has no letters or digits' }));
    this.#addSurface(name, surface, bytes);
  }

  #addSurface(file: string, surface: Surface, bytes: Buffer): void {
    // The one-shot form of a surface has such an id.
    this.#refuseTaken(file, surface.id, baseOfOneShot(surface.id) !== null);
    this.#surfaces.push(surface);
    this.#ofFiles.surfaces.set(file, surface);
    this.fileHashes[surface.id] = sha256Hex(bytes);
  }

  #addAgent(file: string, { command, hashes }: LoadedCommand): void {
    this.#refuseTaken(file, command.id);
    const agent = commandAgent(command);
    this.#agents.push(agent);
    this.#ofFiles.agents.set(file, agent);
    this.fileHashes[command.id] = hashJson(hashes);
    this.secrets.push(...command.secrets);
  }

  #refuseTaken(file: string, id: string, isReserved = false): void {
    const isTaken = isReserved || [...this.#agents, ...this.#surfaces].some((each) => each.id === id);
    if (isTaken) throw new CampaignError(fact('id_taken', { file, id }));
  }
}

/** Whether a name is a file: ids have no slashes and no file extension (`.mjs`). */
export function isFileName(name: string): boolean {
  return ownModelIn(name) === null && /[/\\]|\.[A-Za-z]\w*$/.test(name);
}

/** A tool that attaches to a browser always gets one of its own. */
export function isolationFor({ needs }: Surface, asked: Isolation): Isolation {
  return needs === 'endpoint' ? 'browser' : asked;
}

/** @throws CampaignError with every problem of the file. */
export async function serverIn(file: string): Promise<ServerFile> {
  const read = await readServerFile(file);
  if (read.ok) return read.value;
  throw new CampaignError(fact('bad_surface_file', { problems: read.problems.map(formatProblem) }));
}

async function manifestIn(file: string): Promise<Buffer> {
  const refused = (why: string, cause?: unknown) => new CampaignError(fact('bad_manifest', { file, why }), cause);
  const bytes = await readFile(file).catch((error: unknown) => {
    throw refused(messageOf(error), error);
  });
  let manifest: unknown;
  try {
    manifest = JSON.parse(bytes.toString());
  } catch (error) {
    throw refused(messageOf(error), error);
  }
  if (manifest === null || typeof manifest !== 'object' || !('plugin_slug' in manifest))
    throw refused('it has no plugin_slug');
  return bytes;
}

function named<T extends { id: string; aliases?: readonly string[] }>(
  known: readonly T[],
  id: string,
  what: 'agent' | 'surface',
): T {
  const found = known.find((each) => each.id === id);
  if (found !== undefined) return found;
  const names = known.flatMap((each) => [each.id, ...(each.aliases ?? [])]);
  const params = { id, meant: nearestName(id, names) ?? '', known: known.map((each) => each.id) };
  throw new CampaignError(what === 'agent' ? fact('unknown_agent', params) : fact('unknown_surface', params));
}

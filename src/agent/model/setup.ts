import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sha256Hex } from '../../contract/canonical.ts';
import { messageOf } from '../../contract/message-of.ts';
import { type Cassette, type CassetteHeader, parseCassette, recording, replaying } from '../../model/cassette.ts';
import type { Model } from '../../model/conversation.ts';
import { type Endpoint, endpointAt, modelIdAt } from '../../model/endpoint.ts';
import { aboutModel, unlistedModel, MODELS, type ModelSpec } from '../../model/models.ts';
import { MODEL_TIMEOUT_MS, MAX_RETRIES, type Patience, overNetwork, type Transport } from '../../model/patient.ts';
import { type Provider, type ProviderName, PROVIDERS } from '../../model/providers.ts';
import { Pace } from '../../model/pace.ts';
import { fact } from '../../messages/messages.ts';
import { type Agent, AgentError } from '../agent.ts';
import type { AgentChoice, AgentForCell, AgentMaterials, ModelFacts } from '../agent-choice.ts';
import { modelAgent, type ModelAgentOptions } from './model-agent.ts';
import { oneShotAgent } from './one-shot-agent.ts';
import { type PreflightReply, type PreflightFailure, preflight } from './preflight.ts';
import { parsePrompt } from '../prompt.ts';

export interface ModelSetup {
  /** Holds the keys, and other addresses than the providers'. */
  environment: Readonly<Record<string, string | undefined>>;
  prompt: string;
  /** The cassettes that answer instead of the provider, or are recorded; null for neither. */
  cassettes: { do: 'replay' | 'record'; folder: string } | null;
  others: readonly OwnModel[];
  onComplaint?: OnComplaint | undefined;
}

/** Called when a provider complains, with the time to pause. */
export type OnComplaint = (ms: number) => void;

/** A model that the command line names with its provider. */
export interface OwnModel {
  /** As the command line names it, as rows and file names have it, and as the endpoint knows it. */
  name: string;
  agent: string;
  model: string;
  provider: ProviderName;
}

const PATIENCE: Omit<Patience, 'pace'> = {
  callTimeoutMs: MODEL_TIMEOUT_MS,
  maxRetries: MAX_RETRIES,
  pause: (ms, signal) => pause(ms, undefined, { signal }),
};

/** The models that are known by name, and others that the user names, as agents. */
export function modelAgents(setup: ModelSetup): AgentChoice[] {
  const paces = new Map<string, Pace>();
  const agent = (id: string, spec: ModelSpec): AgentChoice => {
    const pace = paces.get(spec.provider) ?? new Pace(setup.onComplaint);
    paces.set(spec.provider, pace);
    const entrant = new ModelEntrant(id, spec, { setup, pace });
    return {
      id,
      aliases: spec.aliases ?? [],
      about: aboutModel(spec),
      decider: 'model',
      takesPictures: PROVIDERS[spec.provider].takesPictures,
      ...(spec.ends === undefined ? {} : { ends: spec.ends }),
      // Computed when it is read: an invalid address concerns only the models that are asked there.
      get model() {
        return entrant.facts;
      },
      assertReady: () => {
        entrant.assertReady();
      },
      ask: (withTools, signal) => entrant.ask(withTools, signal),
      forCell: (materials) => entrant.forCell(materials),
    };
  };
  return [
    ...MODELS.map((spec) => agent(spec.id, spec)),
    ...setup.others.map((own) => agent(own.agent, { ...unlistedModel(own.provider, own.model), aliases: [own.name] })),
  ];
}

class ModelEntrant {
  readonly #id: string;
  readonly #spec: ModelSpec;
  readonly #provider: Provider;
  readonly #setup: ModelSetup;
  readonly #patience: Patience;

  /** @param pace of all calls of its provider */
  constructor(id: string, spec: ModelSpec, { setup, pace }: { setup: ModelSetup; pace: Pace }) {
    this.#id = id;
    this.#spec = spec;
    this.#provider = PROVIDERS[spec.provider];
    this.#setup = setup;
    this.#patience = { ...PATIENCE, pace };
  }

  /** @throws AgentError when the environment has no valid address for it. */
  get facts(): ModelFacts {
    const { id, temperature, maxOutputTokens, price } = this.#spec;
    const endpoint = this.#setup.cassettes?.do === 'replay' ? null : this.#endpoint();
    return {
      model_id: endpoint === null ? id : modelIdAt(id, endpoint),
      model_endpoint: endpoint?.host ?? null,
      endpoint_kind: endpoint?.kind ?? 'cassette',
      temperature,
      max_output_tokens: maxOutputTokens,
      prompt_hash: sha256Hex(this.#setup.prompt),
      price_table: price?.table ?? null,
      call_timeout_ms: PATIENCE.callTimeoutMs,
      max_retries: PATIENCE.maxRetries,
    };
  }

  /** @throws AgentError if it will be asked and its address or key is missing. */
  assertReady(): void {
    if (this.#setup.cassettes?.do === 'replay') return;
    this.#endpoint();
    this.#key();
  }

  /** Asks it one cheap question; see {@link preflight}. Null: it is replayed. */
  async ask(withTools: boolean, signal: AbortSignal): Promise<PreflightReply | PreflightFailure | null> {
    if (this.#setup.cassettes?.do === 'replay') return null;
    const { url, host } = this.#endpoint();
    const model = this.#model(overNetwork, { url, key: this.#key() });
    const answer = await preflight(model, { withTools, price: this.#spec.price?.of ?? null }, signal);
    if (!('cause' in answer)) return answer;
    const why = `${this.#id}, asked at ${host} with ${this.#keyName()} before the first episode: ${answer.why}`;
    return { ...answer, why };
  }

  /** @throws AgentError `bad_endpoint`, `no_key`, or `bad_cassette` naming the file */
  async forCell(materials: AgentMaterials): Promise<AgentForCell> {
    const { cassettes } = this.#setup;
    if (cassettes?.do === 'replay') return await this.#replayed(cassettes.folder, materials);
    const at = { url: this.#endpoint().url, key: this.#key() };
    const connect = async (): Promise<Model> => {
      if (cassettes === null) return this.#model(overNetwork, at);
      return this.#model(await this.#recorded(cassettes.folder, materials), at);
    };
    return { agent: this.#agent(materials, connect), model: this.facts, transcript: null };
  }

  #cassetteIn(folder: string, cell: AgentMaterials): string {
    const { suite, surface, iteration } = cell;
    return path.join(folder, `${[suite, taskOf(cell), surface, this.#id, iteration].join('.')}.jsonl`);
  }

  async #replayed(folder: string, materials: AgentMaterials): Promise<AgentForCell> {
    const file = this.#cassetteIn(folder, materials);
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) return { notApplicable: 'the folder has no cassette of this episode' };
    const cassette = readCassette(text, file);
    // Neither is used, since a cassette needs no network.
    const nowhere = { url: 'http://cassette.invalid', key: 'none' };
    const connect = (): Promise<Model> => Promise.resolve(this.#model(replaying(cassette, materials.redact), nowhere));
    const { model_id, model_endpoint } = cassette.header;
    return {
      agent: this.#agent(materials, connect),
      model: { ...this.facts, model_id, model_endpoint },
      transcript: { name: path.basename(file), sha256: sha256Hex(text) },
    };
  }

  async #recorded(folder: string, cell: AgentMaterials): Promise<Transport> {
    const file = this.#cassetteIn(folder, cell);
    const { suite, surface, iteration, redact } = cell;
    const endpoint = this.#endpoint();
    const header: CassetteHeader = {
      kind: 'header',
      schema_version: 1,
      suite,
      task: taskOf(cell),
      surface,
      iteration,
      agent: this.#id,
      model_id: modelIdAt(this.#spec.id, endpoint),
      model_endpoint: endpoint.host,
      date: new Date().toISOString().slice(0, 10),
    };
    await mkdir(folder, { recursive: true });
    await writeFile(file, `${JSON.stringify(header)}\n`);
    return recording(overNetwork, redact, async (exchange) => {
      await appendFile(file, `${JSON.stringify(exchange)}\n`);
    });
  }

  #agent({ interaction }: AgentMaterials, connect: () => Promise<Model>): Agent {
    const { price, maxOutputTokens } = this.#spec;
    const prompt = parsePrompt(this.#setup.prompt);
    const options: ModelAgentOptions = { id: this.#id, price: price?.of ?? null, maxOutputTokens, prompt, connect };
    return interaction === 'one-shot' ? oneShotAgent(options) : modelAgent(options);
  }

  #model(transport: Transport, at: { url: string; key: string | null }): Model {
    const { id, temperature, maxOutputTokens } = this.#spec;
    return this.#provider.model({ id, ...at, temperature, maxOutputTokens, transport, patience: this.#patience });
  }

  #endpoint(): Endpoint {
    const { baseUrl, home } = this.#provider;
    const named = this.#setup.environment[baseUrl] ?? '';
    const endpoint = endpointAt(named, home);
    if (endpoint !== null) return endpoint;
    throw new AgentError(fact(named === '' ? 'endpoint_not_set' : 'endpoint_not_an_address', { variable: baseUrl }));
  }

  #keyName(): string {
    const { keys } = this.#provider;
    return keys.find((each) => (this.#setup.environment[each] ?? '') !== '') ?? keys[0];
  }

  #key(): string | null {
    const { needsKey } = this.#provider;
    const name = this.#keyName();
    const key = this.#setup.environment[name] ?? '';
    if (key === '' && !needsKey) return null;
    const problem = keyProblem(key, { agent: this.#id, variable: name });
    if (problem !== null) throw new AgentError(problem);
    return key;
  }
}

function taskOf({ task, fault }: AgentMaterials): string {
  return fault === null ? task.id : `${task.id}+${fault}`;
}

/** Shorter secrets are not replaced in output. */
const MIN_KEY_LENGTH = 8;

/** Returns why no provider could have given out this key; null if one could. */
function keyProblem(key: string, of: { agent: string; variable: string }) {
  if (key === '') return fact('key_not_set', of);
  // A header of HTTP takes no other characters.
  if (!/^[\x21-\x7e]*$/.test(key)) return fact('key_has_odd_character', of);
  return key.length < MIN_KEY_LENGTH ? fact('key_too_short', { ...of, least: MIN_KEY_LENGTH }) : null;
}

function readCassette(text: string, file: string): Cassette {
  try {
    return parseCassette(text, file);
  } catch (error) {
    throw new AgentError(fact('cassette_broken', { why: messageOf(error) }));
  }
}

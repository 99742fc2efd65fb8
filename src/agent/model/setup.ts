import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sha256Hex } from '../../contract/canonical.ts';
import { messageOf } from '../../contract/message-of.ts';
import { type Cassette, type CassetteHeader, parseCassette, recording, replaying } from '../../model/cassette.ts';
import type { Model } from '../../model/conversation.ts';
import { type Endpoint, endpointAt, modelIdAt } from '../../model/endpoint.ts';
import { aboutModel, compatibleModel, MODELS, type ModelSpec } from '../../model/models.ts';
import { MODEL_TIMEOUT_MS, MAX_RETRIES, type Patience, overNetwork, type Transport } from '../../model/patient.ts';
import { type Provider, PROVIDERS } from '../../model/providers.ts';
import { Pace } from '../../model/pace.ts';
import { fact } from '../../messages/messages.ts';
import { type Agent, AgentError } from '../agent.ts';
import type { ModelFacts } from '../agent-choice.ts';
import { modelAgent, type ModelAgentOptions } from './model-agent.ts';
import { oneShotAgent } from './one-shot-agent.ts';
import { type Answered, type NotAnswered, preflight } from './preflight.ts';
import { parsePrompt } from '../prompt.ts';

/** Settings that models are asked with. */
export interface ModelSetup {
  /** Holds the keys, and where they are to be used if not at the provider's. */
  environment: Readonly<Record<string, string | undefined>>;
  /** The text of the prompt file. */
  prompt: string;
  /** Where replies come from instead of the provider, or are written to; null for neither. */
  cassettes: { do: 'replay' | 'record'; folder: string } | null;
  compatible: readonly OwnModel[];
  /** Is called when a provider complains, with the time for which it is to be left alone, in ms. */
  onComplaint?: OnComplaint | undefined;
}

export type OnComplaint = (ms: number) => void;

/** A user's own model, behind an endpoint that answers like OpenAI's. */
export interface OwnModel {
  /** As the command line names it, as rows and file names have it, and as the endpoint knows it. */
  name: string;
  agent: string;
  model: string;
}

/** The episodes of one cell and iteration: a cassette holds one of them. */
export interface ModelCell {
  suite: string;
  task: string;
  surface: string;
  iteration: number;
  interaction: 'multi-turn' | 'one-shot';
}

/** An agent for a cell, what is fixed about its model, and the cassette that it replays. */
export interface ModelForCell {
  agent: Agent;
  facts: ModelFacts;
  cassette: { name: string; sha256: string } | null;
}

const PATIENCE: Omit<Patience, 'pace'> = {
  callTimeoutMs: MODEL_TIMEOUT_MS,
  maxRetries: MAX_RETRIES,
  pause: (ms, signal) => pause(ms, undefined, { signal }),
};

/** The models that are known by name, and the user's own. */
export function modelEntrants(setup: ModelSetup): ModelEntrant[] {
  const paces = new Map<string, Pace>();
  const entrant = (id: string, spec: ModelSpec): ModelEntrant => {
    const pace = paces.get(spec.provider) ?? new Pace(setup.onComplaint);
    paces.set(spec.provider, pace);
    return new ModelEntrant(id, spec, { setup, pace });
  };
  return [
    ...MODELS.map((spec) => entrant(spec.id, spec)),
    ...setup.compatible.map(({ name, agent, model }) => entrant(agent, { ...compatibleModel(model), aliases: [name] })),
  ];
}

/** A model that may take part, and what each of its episodes needs. */
export class ModelEntrant {
  /** Name of its agent, as rows and file names have it. */
  readonly id: string;
  readonly #spec: ModelSpec;
  readonly #provider: Provider;
  readonly #setup: ModelSetup;
  readonly #patience: Patience;

  /** @param pace of all calls of its provider */
  constructor(id: string, spec: ModelSpec, { setup, pace }: { setup: ModelSetup; pace: Pace }) {
    this.id = id;
    this.#spec = spec;
    this.#provider = PROVIDERS[spec.provider];
    this.#setup = setup;
    this.#patience = { ...PATIENCE, pace };
  }

  /** Other names that the command line takes. */
  get aliases(): readonly string[] {
    return this.#spec.aliases ?? [];
  }

  /** Whether it can be shown pictures. */
  get takesPictures(): boolean {
    return this.#provider.takesPictures;
  }

  /** The day on which its provider retires the name, if announced. */
  get ends(): string | undefined {
    return this.#spec.ends;
  }

  get about(): string {
    return aboutModel(this.#spec);
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

  /** @throws AgentError when it is to be asked, and its address or key is missing. */
  assertReady(): void {
    if (this.#setup.cassettes?.do === 'replay') return;
    this.#endpoint();
    this.#key();
  }

  /** Asks it one cheap question; see {@link preflight}. Null: it is replayed. */
  async ask(withTools: boolean, signal: AbortSignal): Promise<Answered | NotAnswered | null> {
    if (this.#setup.cassettes?.do === 'replay') return null;
    const { url, host } = this.#endpoint();
    const model = this.#model(overNetwork, { url, key: this.#key() });
    const answer = await preflight(model, { withTools, price: this.#spec.price?.of ?? null }, signal);
    if (!('cause' in answer)) return answer;
    const why = `${this.id}, asked at ${host} with ${this.#keyName()} before the first episode: ${answer.why}`;
    return { ...answer, why };
  }

  /**
   * @returns null when it is to be replayed and there is no cassette of the cell
   * @throws AgentError `bad_endpoint`, `no_key`, or `bad_cassette` naming the file
   */
  async forCell(cell: ModelCell, redact: (text: string) => string): Promise<ModelForCell | null> {
    const { cassettes } = this.#setup;
    if (cassettes?.do === 'replay')
      return await this.#replayed(path.join(cassettes.folder, this.#fileOf(cell)), cell, redact);
    const at = { url: this.#endpoint().url, key: this.#key() };
    const connect = async (): Promise<Model> => {
      if (cassettes === null) return this.#model(overNetwork, at);
      return this.#model(await this.#recorded(cassettes.folder, cell, redact), at);
    };
    return { agent: this.#agent(cell, connect), facts: this.facts, cassette: null };
  }

  /** Where the cassette of a cell is, in the folder of cassettes. */
  #fileOf({ suite, task, surface, iteration }: ModelCell): string {
    return `${[suite, task, surface, this.id, iteration].join('.')}.jsonl`;
  }

  async #replayed(file: string, cell: ModelCell, redact: (text: string) => string): Promise<ModelForCell | null> {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) return null;
    const cassette = readCassette(text, file);
    // Neither is used: there is no network behind a cassette.
    const nowhere = { url: 'http://cassette.invalid', key: 'none' };
    const connect = (): Promise<Model> => Promise.resolve(this.#model(replaying(cassette, redact), nowhere));
    const { model_id, model_endpoint } = cassette.header;
    return {
      agent: this.#agent(cell, connect),
      facts: { ...this.facts, model_id, model_endpoint },
      cassette: { name: path.basename(file), sha256: sha256Hex(text) },
    };
  }

  async #recorded(folder: string, cell: ModelCell, redact: (text: string) => string): Promise<Transport> {
    const file = path.join(folder, this.#fileOf(cell));
    const { suite, task, surface, iteration } = cell;
    const endpoint = this.#endpoint();
    const header: CassetteHeader = {
      kind: 'header',
      schema_version: 1,
      suite,
      task,
      surface,
      iteration,
      agent: this.id,
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

  #agent({ interaction }: ModelCell, connect: () => Promise<Model>): Agent {
    const { price, maxOutputTokens } = this.#spec;
    const prompt = parsePrompt(this.#setup.prompt);
    const options: ModelAgentOptions = { id: this.id, price: price?.of ?? null, maxOutputTokens, prompt, connect };
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

  /** The variable that holds the key. */
  #keyName(): string {
    const { keys } = this.#provider;
    return keys.find((each) => (this.#setup.environment[each] ?? '') !== '') ?? keys[0];
  }

  /** Null where none is needed and none is set. */
  #key(): string | null {
    const { needsKey } = this.#provider;
    const name = this.#keyName();
    const key = this.#setup.environment[name] ?? '';
    if (key === '' && !needsKey) return null;
    const problem = keyProblem(key, { agent: this.id, variable: name });
    if (problem !== null) throw new AgentError(problem);
    return key;
  }
}

/** Shorter secrets are not replaced in what is written. */
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

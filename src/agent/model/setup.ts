import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sha256Hex } from '../../contract/canonical.ts';
import { messageOf } from '../../contract/message-of.ts';
import { anthropicModel } from '../../model/anthropic.ts';
import { type Cassette, type CassetteHeader, parseCassette, recording, replaying } from '../../model/cassette.ts';
import type { Model } from '../../model/conversation.ts';
import { anthropicEndpoint, type Endpoint, modelIdAt } from '../../model/endpoint.ts';
import { MODELS, type ModelSpec, PRICE_TABLE } from '../../model/models.ts';
import { CALL_TIMEOUT_MS, MAX_RETRIES, type Patience } from '../../model/patient.ts';
import { overNetwork, type Transport } from '../../model/transport.ts';
import { MODEL_CAPS } from '../../task/model-caps.ts';
import { type Agent, AgentError } from '../agent.ts';
import { modelAgent } from './model-agent.ts';
import { parsePrompt } from './prompt.ts';

/** What models are asked with. */
export interface ModelSetup {
  /** Holds the key, and where it is to be used if not at the provider's. */
  environment: Readonly<Record<string, string | undefined>>;
  /** The text of the prompt file. */
  prompt: string;
  /** Where replies come from instead of the provider, or are written to; null for neither. */
  cassettes: { do: 'replay' | 'record'; folder: string } | null;
}

/** What is fixed about a model before it is asked, as pins and rows have it. */
export interface ModelFacts {
  model_id: string;
  model_endpoint: string | null;
  endpoint_kind: 'provider' | 'custom' | 'mock' | 'cassette';
  temperature: number;
  max_output_tokens: number;
  prompt_hash: string;
  price_table: string;
  call_timeout_ms: number;
  max_retries: number;
}

/** The episodes of one cell and iteration: a cassette holds one of them. */
export interface ModelCell {
  suite: string;
  task: string;
  surface: string;
  iteration: number;
}

/** An agent for a cell, what is fixed about its model, and the cassette that it replays. */
export interface ModelForCell {
  agent: Agent;
  facts: ModelFacts;
  cassette: { name: string; sha256: string } | null;
}

export const MODEL_IDS: readonly string[] = MODELS.map(({ id }) => id);

const PATIENCE: Patience = {
  callTimeoutMs: CALL_TIMEOUT_MS,
  maxRetries: MAX_RETRIES,
  pause: (ms, signal) => pause(ms, undefined, { signal }),
};

/** A model that may take part, and what each of its episodes needs. */
export class ModelEntrant {
  readonly #spec: ModelSpec;
  readonly #setup: ModelSetup;
  readonly #endpoint: Endpoint;

  /** @throws AgentError `bad_endpoint` when the environment names an address that is none. */
  constructor(id: string, setup: ModelSetup) {
    const spec = MODELS.find((each) => each.id === id);
    if (spec === undefined) throw new Error(`${id} is no model`);
    this.#spec = spec;
    this.#setup = setup;
    const named = setup.environment['ANTHROPIC_BASE_URL'];
    const endpoint = anthropicEndpoint(named);
    if (endpoint === null) {
      const remedy = 'write an address such as https://models.example, without a name or password in it';
      throw new AgentError('bad_endpoint', 'ANTHROPIC_BASE_URL is no address of a provider', remedy);
    }
    this.#endpoint = endpoint;
  }

  get facts(): ModelFacts {
    const { id, temperature } = this.#spec;
    const replays = this.#setup.cassettes?.do === 'replay';
    return {
      model_id: replays ? id : modelIdAt(id, this.#endpoint),
      model_endpoint: replays ? null : this.#endpoint.host,
      endpoint_kind: replays ? 'cassette' : this.#endpoint.kind,
      temperature,
      max_output_tokens: MODEL_CAPS.outputTokens,
      prompt_hash: sha256Hex(this.#setup.prompt),
      price_table: PRICE_TABLE,
      call_timeout_ms: PATIENCE.callTimeoutMs,
      max_retries: PATIENCE.maxRetries,
    };
  }

  /** @throws AgentError `no_key` when it is to be asked, and there is no key to ask with. */
  assertReady(): void {
    if (this.#setup.cassettes?.do !== 'replay') this.#key();
  }

  /**
   * @returns null when it is to be replayed and there is no cassette of the cell
   * @throws AgentError `no_key`, or `bad_cassette` naming the file
   */
  async forCell(cell: ModelCell, redact: (text: string) => string): Promise<ModelForCell | null> {
    const { cassettes } = this.#setup;
    if (cassettes?.do === 'replay')
      return await this.#replayed(path.join(cassettes.folder, this.#fileOf(cell)), redact);
    const key = this.#key();
    const connect = async (): Promise<Model> => {
      if (cassettes === null) return this.#model(overNetwork, key);
      return this.#model(await this.#recorded(cassettes.folder, cell, redact), key);
    };
    return { agent: this.#agent(connect), facts: this.facts, cassette: null };
  }

  /** Where the cassette of a cell is, in the folder of cassettes. */
  #fileOf({ suite, task, surface, iteration }: ModelCell): string {
    return `${[suite, task, surface, this.#spec.id, iteration].join('.')}.jsonl`;
  }

  async #replayed(file: string, redact: (text: string) => string): Promise<ModelForCell | null> {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text === null) return null;
    const cassette = readCassette(text, file);
    // It is never sent: there is no network behind a cassette.
    const connect = (): Promise<Model> => Promise.resolve(this.#model(replaying(cassette, redact), 'none'));
    const { model_id, model_endpoint } = cassette.header;
    return {
      agent: this.#agent(connect),
      facts: { ...this.facts, model_id, model_endpoint },
      cassette: { name: path.basename(file), sha256: sha256Hex(text) },
    };
  }

  async #recorded(folder: string, cell: ModelCell, redact: (text: string) => string): Promise<Transport> {
    const file = path.join(folder, this.#fileOf(cell));
    const { model_id, model_endpoint } = this.facts;
    const header: CassetteHeader = {
      kind: 'header',
      schema_version: 1,
      ...cell,
      agent: this.#spec.id,
      model_id,
      model_endpoint: model_endpoint ?? this.#endpoint.host,
      date: new Date().toISOString().slice(0, 10),
    };
    await mkdir(folder, { recursive: true });
    await writeFile(file, `${JSON.stringify(header)}\n`);
    return recording(overNetwork, redact, async (exchange) => {
      await appendFile(file, `${JSON.stringify(exchange)}\n`);
    });
  }

  #agent(connect: () => Promise<Model>): Agent {
    const { id, price } = this.#spec;
    return modelAgent({ id, price, prompt: parsePrompt(this.#setup.prompt), connect });
  }

  #model(transport: Transport, key: string): Model {
    const { id, temperature } = this.#spec;
    const { url } = this.#endpoint;
    const maxOutputTokens = MODEL_CAPS.outputTokens;
    return anthropicModel({ id, key, url, temperature, maxOutputTokens, transport, patience: PATIENCE });
  }

  #key(): string {
    const key = this.#setup.environment['ANTHROPIC_API_KEY'] ?? '';
    if (key.length >= MIN_KEY_LENGTH) return key;
    const problem = key === '' ? 'is not set' : `has fewer than ${MIN_KEY_LENGTH} characters, too few to be redacted`;
    const remedy = 'set it in the environment or in a file .env here, or replay recorded replies with --cassette';
    throw new AgentError('no_key', `${this.#spec.id} needs a key, and ANTHROPIC_API_KEY ${problem}`, remedy);
  }
}

/** Shorter secrets are not replaced in what is written. */
const MIN_KEY_LENGTH = 8;

function readCassette(text: string, file: string): Cassette {
  try {
    return parseCassette(text, file);
  } catch (error) {
    throw new AgentError('bad_cassette', messageOf(error), 'record the run again with --record-cassette');
  }
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { PROVIDERS } from '../../src/model/providers.ts';
import { isAskedFirst, ready } from '../../test/model/fake-provider.ts';
import { WIRE_FORMATS, type WireFormat } from '../../test/model/wire-formats.ts';
import { nextReply } from './policy.ts';
import type { Script } from './scripts.ts';

const KEY = 'sk-mock-0123456789';
/** Roughly how many bytes make a token. A fake has no tokenizer. */
const BYTES_A_TOKEN = 4;

/** A property of a tool's arguments or a tool, as a request has them, that identifies its surface: a model does not get its name. */
const KNOWN_BY: readonly [surface: string, mark: string][] = [
  ['nac3', '"describe"'],
  ['app-mcp', '"list_invoices"'],
  ['aria', '"ref":{'],
  ['dom', '"selector":{'],
];

/** A failure of a provider: a status over HTTP, or no answer at all. */
export type Failure = number | 'silence';

/** Fakes of the four providers' APIs at work on this machine. */
export interface FakeModels {
  /** What leads Touchstone to them: addresses and keys. */
  variables: Readonly<Record<string, string>>;
  /** How many requests were answered: each is a real call of a model. */
  answered(): number;
  close(): Promise<void>;
}

/** Settings of the fakes' answers. */
interface Answering {
  /** Decides whether the provider fails a request, and by what; given null, it is the question before the first episode. */
  failureOf?: (request: ModelRequest | null) => Failure | null;
  /** Time that each reply takes, in ms. */
  answerMs?: number;
}

/** Starts one server for each provider: it speaks the provider's wire format, and replies as the policy decides from the scripts. */
export async function startFakeModels(
  scripts: readonly Script[],
  { failureOf = () => null, answerMs = 0 }: Answering = {},
): Promise<FakeModels> {
  const formats = WIRE_FORMATS.filter(({ provider }) => PROVIDERS[provider].home !== null);
  let answered = 0;
  const answer = async (format: WireFormat, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const isFirst = isAskedFirst(body);
    const asked = isFirst ? null : readRequest(format, request.url ?? '', body, scripts);
    const isOfModel = isFirst || asked !== null;
    const failure = isOfModel && !holdsKey(request) ? 401 : failureOf(asked);
    if (failure === 'silence') return;
    if (answerMs > 0) await pause(answerMs);
    if (isFirst && failure === null) {
      ready(request.url ?? '')(response);
      return;
    }
    const status = failure ?? (asked === null ? 400 : 200);
    answered += status === 200 ? 1 : 0;
    const reply = asked === null || status !== 200 ? REFUSAL : replyTo(format, asked, body);
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' }).end(reply);
  };
  const servers = formats.map((format) =>
    createServer((request, response) => {
      void answer(format, request, response);
    }),
  );
  const addresses = await Promise.all(
    servers.map(async (server) => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
      return `http://127.0.0.1:${port}`;
    }),
  );
  const variables = formats.flatMap(({ provider }, index) => {
    const { keys, baseUrl } = PROVIDERS[provider];
    return [...keys.map((name) => [name, KEY]), [baseUrl, addresses[index] ?? '']];
  });
  return {
    answered: () => answered,
    variables: Object.fromEntries(variables),
    close: async () => {
      await Promise.all(
        servers.map(async (server) => {
          server.closeAllConnections();
          await once(server.close(), 'close');
        }),
      );
    },
  };
}

/** Whether a request comes with the key, in whichever header its provider wants it. */
function holdsKey({ headers }: IncomingMessage): boolean {
  return [headers['x-api-key'], headers['x-goog-api-key'], headers.authorization?.replace('Bearer ', '')].includes(KEY);
}

const REFUSAL = JSON.stringify({ error: { type: 'api_error', message: 'not served' } });
const Named = z.looseObject({ model: z.string().optional() });

/** The facts of a request about its episode. */
export interface ModelRequest {
  model: string;
  script: Script;
  /** How many calls of the model have been answered. */
  results: number;
}

/** Null: the fake has no policy there. Port scanners come by, too. */
function readRequest(format: WireFormat, url: string, text: string, scripts: readonly Script[]): ModelRequest | null {
  const body = parsed(text);
  if (body === undefined) return null;
  const { results } = format.hear(body);
  const surface = KNOWN_BY.find(([, mark]) => text.includes(mark))?.[0];
  // A request has the goal as JSON has it.
  const holds = ({ goal }: Script): boolean => text.includes(JSON.stringify(goal).slice(1, -1));
  const script = scripts.find((each) => each.surface === surface && holds(each));
  const model = Named.parse(body).model ?? /\/models\/([^:/]+):/.exec(url)?.[1];
  return script === undefined || model === undefined ? null : { model, script, results: results.length };
}

/** Undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function replyTo(format: WireFormat, { model, script, results }: ModelRequest, asked: string): string {
  const said = nextReply(model, script, results);
  const read = Math.ceil(asked.length / BYTES_A_TOKEN);
  const cached = results === 0 ? 0 : Math.floor(read / 2);
  const written = Math.ceil(JSON.stringify(said).length / BYTES_A_TOKEN);
  return format.reply({ ...said, fresh: read - cached, cached, written });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

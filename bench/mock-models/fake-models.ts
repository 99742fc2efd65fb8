import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { PROVIDERS } from '../../src/model/providers.ts';
import { WIRE_FORMATS, type WireFormat } from '../../test/model/wire-formats.ts';
import { nextReply } from './policy.ts';
import type { Script } from './scripts.ts';

const KEY = 'sk-mock-0123456789';
/** Roughly how many bytes make a token. A fake has no tokenizer. */
const BYTES_A_TOKEN = 4;

/** A tool by which each surface is known: a model is not told which it is. */
const KNOWN_BY: Readonly<Record<string, string>> = { describe: 'nac3', snapshot: 'dom', list_invoices: 'app-mcp' };

/** Fakes of the four providers' APIs at work on this machine. */
export interface FakeModels {
  /** What leads Touchstone to them: addresses and keys. */
  variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts one server for each provider: it speaks its wire format, and says what the policy says of the scripts. */
export async function startFakeModels(scripts: readonly Script[]): Promise<FakeModels> {
  const formats = WIRE_FORMATS.filter(({ provider }) => PROVIDERS[provider].home !== null);
  const servers = formats.map((format) =>
    createServer((request, response) => {
      void bodyOf(request).then((body) => {
        const reply = replyTo(format, request.url ?? '', body, scripts);
        const status = reply === null ? 400 : 200;
        response.writeHead(status, { 'content-type': 'application/json' }).end(reply ?? UNKNOWN);
      });
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

const UNKNOWN = JSON.stringify({ error: { type: 'invalid_request', message: 'no script is for this goal' } });
const Named = z.looseObject({ model: z.string().optional() });

/** Null: nobody has told the fake what to do there. */
function replyTo(format: WireFormat, url: string, text: string, scripts: readonly Script[]): string | null {
  const body: unknown = JSON.parse(text);
  const { tools, results } = format.hear(body);
  const surface = tools.map((tool) => KNOWN_BY[tool ?? '']).find((each) => each !== undefined);
  // A goal stands in a request as JSON has it.
  const script = scripts.find(
    (each) => each.surface === surface && text.includes(JSON.stringify(each.goal).slice(1, -1)),
  );
  const model = Named.parse(body).model ?? /\/models\/([^:/]+):/.exec(url)?.[1];
  if (script === undefined || model === undefined) return null;
  const said = nextReply(model, script, results.length);
  const read = Math.ceil(text.length / BYTES_A_TOKEN);
  const cached = results.length === 0 ? 0 : Math.floor(read / 2);
  const written = Math.ceil(JSON.stringify(said).length / BYTES_A_TOKEN);
  return format.reply({ ...said, fresh: read - cached, cached, written });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

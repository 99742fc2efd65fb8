import { createInterface } from 'node:readline';
import { z } from 'zod';
import { JsonObject } from '../../contract/json.ts';
import type { Driver } from './driver.ts';
import { LibrarySession } from './session.ts';
import type { Wording } from './tools.ts';

/** A library that can be put to work on the browser behind a CDP address. */
export interface Library {
  words: Wording;
  connect: (cdpUrl: string) => Promise<Driver>;
}

const Message = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
  params: z.looseObject({}).default({}),
});
const Initialize = z.looseObject({ protocolVersion: z.string() });
const Call = z.looseObject({ name: z.string(), arguments: JsonObject.default({}) });
const Cancelled = z.looseObject({ requestId: z.union([z.number(), z.string()]) });

/**
 * Serves a library's tools over MCP on the standard streams of this process, to the browser that the first argument names.
 * A process of its own, because of what a library may do to one: end it by a rejection that nobody handles, write to its
 * output and into its home, keep its timers.
 */
export async function serveLibrary({ connect, words }: Library): Promise<void> {
  const write = process.stdout.write.bind(process.stdout);
  // Text that a library prints is no message.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const session = new LibrarySession(await connect(process.argv[2] ?? ''), words);
  const running = new Map<number | string, AbortController>();

  const answer = async (method: string, params: object, signal: AbortSignal): Promise<object> => {
    switch (method) {
      case 'initialize': {
        const { protocolVersion } = Initialize.parse(params);
        return {
          protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'touchstone-library', version: '1' },
        };
      }
      case 'tools/list':
        return {
          tools: session.tools.map(({ name, description, input_schema: inputSchema }) => ({
            name,
            description,
            inputSchema,
          })),
        };
      case 'tools/call': {
        const { name, arguments: args } = Call.parse(params);
        const { ok, text } = await session.call(name, args, signal);
        return { content: [{ type: 'text', text }], isError: !ok };
      }
      default:
        throw new Error(`there is no method "${method}"`);
    }
  };

  const receive = async (line: string): Promise<void> => {
    const { id, method, params } = Message.parse(JSON.parse(line));
    if (method === 'notifications/cancelled') running.get(Cancelled.parse(params).requestId)?.abort();
    if (id === undefined) return;
    const cancel = new AbortController();
    running.set(id, cancel);
    const outcome = await answer(method, params, cancel.signal).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: { code: -32_603, message: String(error) } }),
    );
    running.delete(id);
    write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
  };

  createInterface({ input: process.stdin })
    .on('line', (line) => void receive(line))
    // Whoever started this process has ended.
    .on('close', () => process.exit());
}

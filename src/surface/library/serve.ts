import { Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { JsonObject } from '../../contract/json.ts';
import { toolDefinitions } from '../page/tool.ts';
import type { Driver } from './driver.ts';
import { LibrarySession } from './session.ts';
import type { Wording } from './tools.ts';

/** A library that can be put to work on the browser behind a CDP address. */
export interface Library {
  words: Wording;
  connect: (cdpUrl: string) => Promise<Driver>;
}

/**
 * Serves a library's tools over MCP on the standard streams of this process, to the browser that the first argument names.
 * A process of its own, because of what a library may do to one: end it by an unhandled rejection, write to its output and into
 * its home, keep its timers.
 */
export async function serveLibrary({ connect, words }: Library): Promise<void> {
  const write = process.stdout.write.bind(process.stdout);
  const messages = new Writable({ write: (chunk, _encoding, done) => void write(chunk, done) });
  // Text that a library prints is no message.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const session = new LibrarySession(await connect(process.argv[2] ?? ''), words);
  const server = new Server({ name: 'touchstone-library', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: toolDefinitions(session.tools).map(({ name, description, input_schema: { ...schema } }) => ({
      name,
      description,
      inputSchema: { ...schema, type: 'object' },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name: tool, arguments: args = {} } }, { mcpReq }) => {
    const { ok, text } = await session.call({ tool, args: JsonObject.parse(args) }, mcpReq.signal);
    return { content: [{ type: 'text', text }], isError: !ok };
  });
  // The library may keep the process alive.
  process.stdin.on('close', () => process.exit());
  await server.connect(new StdioServerTransport(process.stdin, messages));
}

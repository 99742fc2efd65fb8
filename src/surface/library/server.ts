import { Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { JsonObject } from '../../contract/json.ts';
import { toolDefinitions } from '../page/tools.ts';
import { LibrarySession } from './session.ts';

// Serves a library's tools over MCP on its standard streams. It is a separate process, since a library may crash it by an unhandled
// rejection, write to its output and home, and keep timers.

const LIBRARIES = {
  playwright: async () => (await import('./playwright-driver.ts')).playwrightLibrary,
  puppeteer: async () => (await import('./puppeteer-driver.ts')).puppeteerLibrary,
  stagehand: async () => (await import('./stagehand-driver.ts')).stagehandLibrary,
};

async function serve(name: keyof typeof LIBRARIES, cdpUrl: string, files: readonly string[]): Promise<void> {
  const write = process.stdout.write.bind(process.stdout);
  const messages = new Writable({ write: (chunk, _encoding, done) => void write(chunk, done) });
  // Text that a library prints is not a message.
  process.stdout.write = process.stderr.write.bind(process.stderr);
  const library = await LIBRARIES[name]();
  const session = new LibrarySession(await library.connect(cdpUrl), library.words, files);
  const server = new Server({ name: 'touchstone-library', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: toolDefinitions(session.tools).map(({ name: tool, description, input_schema: { ...schema } }) => ({
      name: tool,
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

const [, , name, cdpUrl = '', ...files] = process.argv;
if (name === 'playwright' || name === 'puppeteer' || name === 'stagehand') await serve(name, cdpUrl, files);

import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { CommandError } from './command-error.ts';
import { COMMANDS } from './commands.ts';
import type { Book } from './invoice.ts';

/** The app's MCP server over Streamable HTTP. It keeps no session: what it knows is the book. */
export function mcpOf(book: Book) {
  return createMcpHandler(() => {
    const server = new McpServer({ name: 'invoice', version: '1.0.0' });
    for (const [name, command] of Object.entries(COMMANDS)) {
      const { description, args: inputSchema } = command;
      server.registerTool(name, { description, inputSchema }, async (given) => {
        try {
          return textResult(JSON.stringify(await command.run(book, given)), false);
        } catch (error) {
          if (error instanceof CommandError) return textResult(`${error.message}; ${error.remedy}`, true);
          throw error;
        }
      });
    }
    return server;
  });
}

function textResult(text: string, isError: boolean) {
  return { content: [{ type: 'text' as const, text }], isError };
}

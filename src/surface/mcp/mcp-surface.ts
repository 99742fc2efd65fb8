import path from 'node:path';
import { messageOf } from '../../contract/message-of.ts';
import type { EndpointSeat, EndpointSurface } from '../surface.ts';
import { McpSession } from './mcp-session.ts';
import { filledText } from './placeholders.ts';
import { type Program, programOf } from './program.ts';
import type { ServerFile } from './server-file.ts';
import { type ServerCommand, ServerProcess } from './server-process.ts';

/** The surface that a tool server is: all the tools that it lists, and its replies as it gives them. */
export function mcpSurface(file: ServerFile): EndpointSurface {
  const program = programOf(file);
  const isMissing = 'missing' in program;
  return {
    id: file.server.id,
    needs: 'endpoint',
    interaction: 'multi-turn',
    version: isMissing ? 'not installed' : (program.version ?? 'as it says when it runs'),
    unavailable: isMissing ? program.missing : null,
    open: async (seat) => {
      if (isMissing) throw new Error(program.missing);
      return await openSession(file, program, seat);
    },
  };
}

async function openSession(file: ServerFile, program: Program, seat: EndpointSeat): Promise<McpSession> {
  const { server } = file;
  const transport = new ServerProcess((home) => commandOf(file, program, seat, home));
  try {
    return await McpSession.open(transport, server, { ...seat, home: transport.home, folder: path.dirname(file.file) });
  } catch (error) {
    await transport.close();
    const why = `${messageOf(error)}${transport.said}`;
    throw new Error(`the server ${server.id} did not start: ${why}`, { cause: error });
  }
}

function commandOf({ file, server }: ServerFile, program: Program, seat: EndpointSeat, home: string): ServerCommand {
  const values = { ...seat, home, folder: path.dirname(file) };
  return {
    command: program.command,
    args: [...program.args, ...server.args.map((arg) => filledText(arg, values))],
    env: Object.fromEntries(Object.entries(server.env).map(([name, text]) => [name, filledText(text, values)])),
  };
}

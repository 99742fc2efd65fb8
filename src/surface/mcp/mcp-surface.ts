import path from 'node:path';
import { variablesNamed } from '../../process/variables.ts';
import type { EndpointSeat, EndpointSurface } from '../surface.ts';
import { McpSession } from './mcp-session.ts';
import { filledObject, filledText } from './placeholders.ts';
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
    open: async (seat, signal) => {
      if (isMissing) throw new Error(program.missing);
      return await openSession(file, program, seat, signal);
    },
  };
}

async function openSession(
  file: ServerFile,
  program: Program,
  seat: EndpointSeat,
  signal: AbortSignal,
): Promise<McpSession> {
  const { id, binding, ready, start_timeout_ms: limitMs } = file.server;
  const process = new ServerProcess((home) => commandOf(file, program, seat, home));
  const values = { ...seat, home: process.home, folder: path.dirname(file.file) };
  const readyCall = ready === undefined ? undefined : { tool: ready.tool, args: filledObject(ready.args, values) };
  const tooLate = new AbortController();
  const timer = setTimeout(() => {
    tooLate.abort(new Error(`it was not ready within ${limitMs} ms`));
  }, limitMs);
  try {
    const traits = { name: `the server ${id}`, binding, ready: readyCall };
    return await McpSession.open(process, traits, AbortSignal.any([signal, tooLate.signal]));
  } finally {
    clearTimeout(timer);
  }
}

function commandOf({ file, server }: ServerFile, program: Program, seat: EndpointSeat, home: string): ServerCommand {
  const values = { ...seat, home, folder: path.dirname(file) };
  return {
    command: program.command,
    args: [...program.args, ...server.args.map((arg) => filledText(arg, values))],
    env: {
      ...variablesNamed(server.secrets),
      ...Object.fromEntries(Object.entries(server.env).map(([name, text]) => [name, filledText(text, values)])),
    },
  };
}

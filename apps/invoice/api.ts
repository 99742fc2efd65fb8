import { z } from 'zod';
import { CommandError } from './command-error.ts';
import { COMMANDS } from './commands.ts';
import type { Book } from './invoice.ts';

/** Every command with its JSON Schema, for the tools that the page registers. */
export function describeCommands() {
  return Object.entries(COMMANDS).map(([name, { description, args }]) => ({
    name,
    description,
    inputSchema: z.toJSONSchema(args, { io: 'input' }),
  }));
}

/** Carries out a command that came as JSON; a refusal is a 422 that says why. */
export async function answerCommand(book: Book, name: string, body: string): Promise<Response> {
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined)
      throw new CommandError('unknown_command', `there is no command ${name}`, 'see /tools.json');
    return Response.json(await command.run(book, parsed(body)));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const { code, message, remedy } = error;
    return Response.json({ error: { code, message, remedy } }, { status: 422 });
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new CommandError('bad_arguments', 'the body is not JSON', 'send the arguments as a JSON object');
  }
}

import { z } from 'zod';
import type { ToolCall, ToolDefinition } from '../../task/tool.ts';
import type { CallTarget } from './target.ts';

/** A tool: its description for a model, its arguments, and what a call of it does. */
export interface Tool<Act> {
  description: string;
  args: z.ZodType;
  /** The work of a call, or what is wrong with its arguments. */
  read(args: unknown): { act: Act } | { error: z.ZodError };
}

export type Tools<Act> = Readonly<Record<string, Tool<Act>>>;

export function tool<Args extends z.ZodType, Act>(
  description: string,
  args: Args,
  act: (args: z.output<Args>) => Act,
): Tool<Act> {
  const read: Tool<Act>['read'] = (given) => {
    const parsed = args.safeParse(given);
    return parsed.success ? { act: act(parsed.data) } : { error: parsed.error };
  };
  return { description, args, read };
}

/** Tools as agents see them. */
export function toolDefinitions(tools: Tools<unknown>): ToolDefinition[] {
  return Object.entries(tools).map(([name, { description, args }]) => {
    const { $schema: _dialect, ...schema } = z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' });
    return { name, description, input_schema: JSON.parse(JSON.stringify(schema)) };
  });
}

/** The work of a call, or why there is none. Tools, arguments and choices that do not exist count as invented. */
export function readCall<Act>(
  tools: Tools<Act>,
  { tool: name, args }: ToolCall,
  target: CallTarget,
): { act: Act } | { problem: string } {
  const called = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (called === undefined) {
    target.invented(['tool']);
    return { problem: `there is no tool "${name}"; the tools are ${Object.keys(tools).join(', ')}` };
  }
  const read = called.read(args);
  if ('act' in read) return read;
  target.invented(inventedArguments(read.error));
  return { problem: `the arguments of "${name}" are not right: ${z.prettifyError(read.error)}` };
}

/** Arguments that the tool does not take, or choices that it does not offer. */
function inventedArguments(error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') return issue.keys;
    return issue.code === 'invalid_value' ? [issue.path.join('.')] : [];
  });
}

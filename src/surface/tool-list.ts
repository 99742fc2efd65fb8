import type { ToolDefinition } from '../task/tool.ts';

/** Longest list of tools that is taken, as JSON, in UTF-16 code units: each is kept, and given to a model with each turn. */
const MAX_LENGTH = 4 * 1024 * 1024;

/**
 * Takes a list as somebody else's server or page gives it.
 * @throws Error when it is longer than a record could hold, whatever its language
 */
export function takenList(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const { length } = JSON.stringify(tools);
  if (length <= MAX_LENGTH) return tools;
  throw new Error(`its list of tools has ${length} characters, more than ${MAX_LENGTH}`);
}

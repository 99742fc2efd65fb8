import { inTurn, reload } from './actions.js';
import { command, Refusal } from './api.js';

/** Registers every command as a tool of the page (W3C WebMCP), where the browser has such tools. */
export async function offerTools() {
  if (document.modelContext === undefined) return;
  const tools = await (await fetch('/tools.json')).json();
  for (const { name, description, inputSchema } of tools) {
    document.modelContext.registerTool({
      name,
      description,
      inputSchema,
      execute: (args) => inTurn(() => call(name, args)),
    });
  }
}

async function call(name, args) {
  try {
    const answer = await command(name, args);
    await reload();
    return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { content: [{ type: 'text', text: error.message }], isError: true };
  }
}

import { defineApp } from 'touchstone';
import { z } from 'zod';

const Call = z.object({ name: z.string(), arguments: z.record(z.string(), z.json()) });

const REGISTER = `({ tools }) => {
  for (const { name, description, inputSchema } of tools) {
    const execute = async (args) => {
      const reply = await fetch('/calls', { method: 'POST', body: JSON.stringify({ name, arguments: args ?? {} }) });
      return { content: [{ type: 'text', text: await reply.text() }], isError: !reply.ok };
    };
    const schema = inputSchema ?? { type: 'object', properties: {} };
    document.modelContext?.registerTool({ name, description, inputSchema: schema, execute });
  }
}`;

/** Serves pages with the tools of evals. They do nothing: the app keeps each call, in order, and answers `{}`, as the original. */
export default defineApp((_parameters, { data }) => {
  const calls: z.infer<typeof Call>[] = [];
  return {
    state: () => structuredClone({ calls }),
    async fetch(request) {
      if (request.method === 'POST') {
        const call = Call.safeParse(await request.json());
        if (!call.success) return new Response('not a call', { status: 400 });
        calls.push(call.data);
        return Response.json({});
      }
      const file = await data(new Request(`${request.url}.json`));
      if (!file.ok) return file;
      const tools = (await file.text()).replaceAll('<', String.raw`\u003c`);
      const html = `<!doctype html><title>Tools</title><p>This page offers tools through WebMCP.</p><script>(${REGISTER})(${tools})</script>`;
      return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
    },
  };
});

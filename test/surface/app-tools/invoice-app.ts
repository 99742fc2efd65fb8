import { z } from 'zod';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { App } from '../../../src/world/app.ts';

/** The tools of a small app: they read and cancel invoices. */
const INVOICE_TOOLS = [
  { name: 'list_invoices', description: 'All invoices.', inputSchema: { type: 'object', properties: {} } },
  {
    name: 'cancel_invoice',
    description: 'Cancel an invoice.',
    inputSchema: {
      type: 'object',
      properties: {
        invoice_id: { type: 'string' },
        reason: { type: 'string', enum: ['error', 'client'] },
        note: { type: 'string' },
      },
      required: ['invoice_id'],
    },
  },
];

const Request = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
  params: z
    .looseObject({ name: z.string().optional(), arguments: z.record(z.string(), z.json()).optional() })
    .optional(),
});

/** An app whose pages know nothing of its MCP server at `/mcp`, which works on the same state. */
export function invoiceApp(): App {
  const cancelled: string[] = [];
  const call = (name: string, args: JsonObject): object => {
    if (name === 'list_invoices') return said('INV-1 (pending), INV-2 (pending)');
    const id = z.string().catch('').parse(args['invoice_id']);
    if (!/^INV-[12]$/.test(id)) return { ...said(`no invoice ${id}`), isError: true };
    cancelled.push(id);
    return said(`${id} is cancelled`);
  };
  return {
    state: () => ({ cancelled }),
    fetch: async (request) => {
      if (new URL(request.url).pathname !== '/mcp') {
        return new Response('<title>Invoices</title><h1>Invoices</h1>', { headers: { 'content-type': 'text/html' } });
      }
      if (request.method !== 'POST') return new Response(null, { status: 405 });
      const { id, method, params } = Request.parse(await request.json());
      if (id === undefined) return new Response(null, { status: 202 });
      return Response.json({
        jsonrpc: '2.0',
        id,
        ...answerTo(method, params?.name ?? '', params?.arguments ?? {}, call),
      });
    },
  };
}

function answerTo(
  method: string,
  name: string,
  args: JsonObject,
  call: (name: string, args: JsonObject) => object,
): object {
  switch (method) {
    case 'initialize': {
      const capabilities = { tools: {} };
      return {
        result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'invoices', version: '1.2.3' } },
      };
    }
    case 'tools/list':
      return { result: { tools: INVOICE_TOOLS } };
    case 'tools/call':
      return INVOICE_TOOLS.some((tool) => tool.name === name)
        ? { result: call(name, args) }
        : { error: { code: -32_602, message: `unknown tool ${name}` } };
    default:
      return { error: { code: -32_601, message: `no method ${method}` } };
  }
}

function said(text: string): object {
  return { content: [{ type: 'text', text }] };
}

import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Json } from '../../../src/contract/json.ts';
import type { App } from '../../../src/world/app.ts';
import { loadApp } from '../../../src/world/load-app.ts';

export const ORIGIN = 'http://invoice.localhost';
export const APP = path.resolve(import.meta.dirname, '../../../apps/invoice/app.ts');

type Args = Record<string, Json>;

export interface OpenApp {
  app: App;
  command: (name: string, args?: Args) => Promise<{ status: number; answer: Json }>;
  /** What the app holds at a place, for example `invoices INV-0001 status`. */
  held: (place: string) => Promise<unknown>;
}

export async function openApp(parameters: Record<string, string | number> = {}): Promise<OpenApp> {
  const app = await (await loadApp(APP))(parameters);
  return {
    app,
    command: async (name, args = {}) => {
      const request = new Request(`${ORIGIN}/api/${name}`, { method: 'POST', body: JSON.stringify(args) });
      const response = await app.fetch(request);
      return { status: response.status, answer: Json.parse(await response.json()) };
    },
    held: async (place) => {
      let value: unknown = await app.state();
      for (const step of place.split(' ')) value = Object(value)[step];
      return value;
    },
  };
}

export async function mcpClient(answer: (request: Request) => Response | Promise<Response>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const fetch = async (url: string | URL, init?: RequestInit): Promise<Response> =>
    await answer(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL(`${ORIGIN}/mcp`), { fetch }));
  return client;
}

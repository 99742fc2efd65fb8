import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { mcpClient, openApp, ORIGIN } from './open-app.ts';

const InputSchema = z.looseObject({ required: z.array(z.string()).optional() });
const Tools = z.array(z.strictObject({ name: z.string(), description: z.string(), inputSchema: InputSchema }));

describe('the MCP server', () => {
  test('offers the same commands as the page, with the same schemas', async () => {
    const { app } = await openApp();
    const client = await mcpClient((request) => app.fetch(request));
    const { tools } = await client.listTools();
    const response = await app.fetch(new Request(`${ORIGIN}/tools.json`));
    const ofPage = Tools.parse(await response.json());
    expect(tools.map(({ name, description }) => ({ name, description }))).toEqual(
      ofPage.map(({ name, description }) => ({ name, description })),
    );
    expect(tools.map(({ inputSchema }) => inputSchema.required)).toEqual(
      ofPage.map(({ inputSchema }) => inputSchema.required),
    );
  });

  test('works on the book that the page shows', async () => {
    const { app, command } = await openApp();
    const client = await mcpClient((request) => app.fetch(request));
    await client.callTool({ name: 'add_invoice_line', arguments: { invoice_id: 'INV-0002', description: 'Monitor' } });
    expect((await command('get_invoice', { invoice_id: 'INV-0002' })).answer).toMatchObject({ unsaved_changes: true });
  });

  test('gives the reason of a refusal, and what to do', async () => {
    const { app } = await openApp();
    const client = await mcpClient((request) => app.fetch(request));
    const reply = await client.callTool({ name: 'cancel_invoice', arguments: { invoice_id: 'INV-0001' } });
    const text = 'INV-0001 is not cancelled yet; call again with "confirm": true';
    expect(reply).toMatchObject({ isError: true, content: [{ text }] });
    const unknown = await client.callTool({ name: 'get_invoice', arguments: { invoice_id: 'INV-0777' } });
    expect(unknown).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('no invoice INV-0777') }],
    });
  });

  test('keeps no session: another client goes on from the same state', async () => {
    const { app, held } = await openApp();
    const args = { invoice_id: 'INV-0001' };
    const first = await mcpClient((request) => app.fetch(request));
    await first.callTool({ name: 'set_observations', arguments: { ...args, observations: 'later' } });
    const second = await mcpClient((request) => app.fetch(request));
    await second.callTool({ name: 'save_invoice', arguments: args });
    expect(await held('invoices INV-0001 observations')).toBe('later');
  });
});

import { describe, expect, test } from 'vitest';
import { openAppServer } from '../../../src/surface/app-tools/app-mcp-session.ts';
import type { JsonObject } from '../../../src/contract/json.ts';
import { targetClass, TargetFacts } from '../../../src/task/target.ts';
import { startLocalWorld } from '../../../src/world/local.ts';
import { createTlsIdentity } from '../../../src/world/tls-identity.ts';
import { invoiceApp } from './invoice-app.ts';

async function openApp() {
  const world = await startLocalWorld({
    sites: [{ origin: 'http://invoices.localhost', create: invoiceApp, hasState: true, standIn: false, mcp: '/mcp' }],
    parameters: {},
    identity: await createTlsIdentity(),
    live: false,
  });
  const [url = ''] = world.toolServers ?? [];
  const session = await openAppServer({ url, proxy: world.proxy.server }, 'Cancel the oldest invoice.');
  const call = (tool: string, args: JsonObject = {}) => session.call({ tool, args }, new AbortController().signal);
  return {
    world,
    session,
    call,
    [Symbol.asyncDispose]: async () => {
      await session.close();
      await world.close();
    },
  };
}

describe('through the tools of an app’s own MCP server', () => {
  test('an agent gets the tools that the server lists', async () => {
    await using app = await openApp();
    expect(app.session.tools.map(({ name }) => name)).toEqual(['list_invoices', 'cancel_invoice']);
    expect(app.session.version).toBe('invoices 1.2.3');
  });

  test('a call does its work on the app, and the log of the world holds it', async () => {
    await using app = await openApp();
    expect(await app.call('cancel_invoice', { invoice_id: 'INV-1' })).toMatchObject({
      ok: true,
      text: 'INV-1 is cancelled',
    });
    expect(await app.world.state()).toMatchObject({ value: { cancelled: ['INV-1'] } });
    const network = app.world.network();
    const entries = network.captured ? network.value.entries : [];
    const calls = entries.filter(({ method, url }) => method === 'POST' && url === 'http://invoices.localhost/mcp');
    // The greeting, its confirmation, the list, and the call.
    expect(calls).toHaveLength(4);
  });

  test('a refusal of the server is a reply that is not ok', async () => {
    await using app = await openApp();
    expect(await app.call('cancel_invoice', { invoice_id: 'INV-9' })).toMatchObject({
      ok: false,
      kind: 'error',
      text: 'no invoice INV-9',
    });
  });

  test('a step of a solution is passed unchanged, and a step on a page is impossible', async () => {
    await using app = await openApp();
    expect(await app.session.bind({ do: 'call', tool: 'list_invoices', args: {} }, null)).toEqual({
      kind: 'call',
      call: { tool: 'list_invoices', args: {} },
    });
    expect(await app.session.bind({ do: 'click', role: 'button', name: 'Cancel' }, null)).toMatchObject({
      kind: 'impossible',
    });
  });
});

test('an id that was never disclosed is a phantom', async () => {
  await using app = await openApp();
  await app.call('list_invoices');
  const { target } = await app.call('cancel_invoice', { invoice_id: 'INV-5' });
  expect(targetClass(TargetFacts.parse(target))).toBe('phantom');
});

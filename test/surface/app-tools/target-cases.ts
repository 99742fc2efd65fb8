import { expect } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.ts';
import type { appMcp } from '../../../src/surface/app-tools/app-mcp.ts';
import { targetClass, type TargetClass, TargetFacts } from '../../../src/task/target.ts';
import type { ToolReply } from '../../../src/task/tool.ts';
import { startLocalWorld } from '../../../src/world/local.ts';
import { openApp, ORIGIN } from '../../apps/invoice/open-app.ts';
import { targetOf } from '../../browser/scene.ts';
import { sharedBrowser, sharedIdentity } from '../../shared-browser.ts';

/** It names an invoice and a line, which so are disclosed from the start. */
const GOAL = 'Correct line 4 of INV-0003.';

interface Scene extends AsyncDisposable {
  call: (tool: string, args?: JsonObject) => Promise<ToolReply>;
  /** Does something in the app without the agent's knowledge. */
  meanwhile: (command: string, args: JsonObject) => Promise<void>;
}

/** The invoice app, whose schemas declare which arguments name things. */
export async function openTools(surface: typeof appMcp): Promise<Scene> {
  const { app, command } = await openApp();
  const world = await startLocalWorld({
    sites: [{ origin: ORIGIN, create: () => app, hasState: true, standIn: false, mcp: '/mcp' }],
    parameters: {},
    identity: await sharedIdentity(),
    live: false,
  });
  const context = await (await (await sharedBrowser()).playwright()).newContext({ proxy: world.proxy });
  const page = await context.newPage();
  await page.goto(`${ORIGIN}/?lang=en`);
  await page.waitForFunction('document.modelContext && document.querySelector("#list")');
  const toolServer = { url: `${ORIGIN}/mcp`, proxy: world.proxy.server };
  const seat = { context, page, ...(await targetOf(page)), touch: () => {}, goal: GOAL, toolServer };
  const session = await surface.open(seat);
  const listed = async (): Promise<number> => {
    await session.refresh?.();
    return session.tools.length;
  };
  await expect.poll(listed).toBeGreaterThan(0);
  return {
    call: (tool, args = {}) => session.call({ tool, args }, new AbortController().signal),
    meanwhile: async (name, args) => expect((await command(name, args)).status).toBe(200),
    [Symbol.asyncDispose]: async () => {
      await session.close();
      await context.close();
      await world.close();
    },
  };
}

const OF_3 = { invoice_id: 'INV-0003' };
const LINE_9 = { ...OF_3, line: 9 };
const NEW_LINE = { ...OF_3, description: 'Lamp', unit_price: 5 };

type Case = [what: string, expected: TargetClass, isDone: boolean, run: (scene: Scene) => Promise<ToolReply>];

/** After the list, and the lines of INV-0003, which are eight. */
export const CASES: Case[] = [
  ['an invoice of the list', 'resolved', true, ({ call }) => call('get_invoice', { invoice_id: 'INV-0005' })],
  ['an invoice of no list', 'phantom', false, ({ call }) => call('get_invoice', { invoice_id: 'INV-0099' })],
  ['a piece of what was shown', 'phantom', false, ({ call }) => call('get_invoice', { invoice_id: 'INV' })],
  [
    'what only a refusal has repeated',
    'phantom',
    false,
    async ({ call }) => {
      await call('get_invoice', { invoice_id: 'INV-0099' });
      return await call('get_invoice', { invoice_id: 'INV-0099' });
    },
  ],
  [
    'what is there, and was not shown',
    'phantom',
    true,
    async ({ call, meanwhile }) => {
      await meanwhile('create_invoice', { client_id: 'C-001' });
      return await call('get_invoice', { invoice_id: 'INV-0016' });
    },
  ],
  [
    'a client that the list of invoices shows',
    'resolved',
    true,
    ({ call }) => call('create_invoice', { client_id: 'C-002' }),
  ],
  ['a client that nobody has shown', 'phantom', false, ({ call }) => call('create_invoice', { client_id: 'C-099' })],
  ['a line that was shown', 'resolved', true, ({ call }) => call('correct_grammar', { ...OF_3, line: 2 })],
  ['a line that was not', 'phantom', false, ({ call }) => call('correct_grammar', { ...OF_3, line: 77 })],
  [
    'the same to change it',
    'phantom',
    false,
    ({ call }) => call('update_invoice_line', { ...OF_3, line: 999, quantity: 2 }),
  ],
  [
    'a line of another invoice, whose lines were not shown',
    'phantom',
    true,
    ({ call }) => call('update_invoice_line', { invoice_id: 'INV-0002', line: 1, quantity: 2 }),
  ],
  [
    'a line that the goal names, before it was shown',
    'resolved',
    true,
    ({ call }) => call('update_invoice_line', { invoice_id: 'INV-0002', line: 4, quantity: 2 }),
  ],
  [
    'a line that came after the agent had looked',
    'not_yet_present',
    true,
    async ({ call, meanwhile }) => {
      await meanwhile('add_invoice_line', NEW_LINE);
      return await call('update_invoice_line', { ...LINE_9, quantity: 2 });
    },
  ],
  [
    'a line that was shown before, and has gone',
    'stale',
    false,
    async ({ call }) => {
      await call('add_invoice_line', NEW_LINE);
      await call('remove_invoice_line', LINE_9);
      return await call('update_invoice_line', { ...LINE_9, quantity: 2 });
    },
  ],
  [
    'what the app does not allow',
    'blocked',
    false,
    ({ call }) => call('set_observations', { invoice_id: 'INV-0006', observations: 'Late' }),
  ],
  [
    'what has to be confirmed first',
    'blocked',
    false,
    ({ call }) => call('cancel_invoice', { invoice_id: 'INV-0001' }),
  ],
  [
    'what changed after the agent had looked',
    'blocked',
    false,
    async ({ call, meanwhile }) => {
      await meanwhile('remove_invoice_line', { ...OF_3, line: 2 });
      return await call('update_invoice_line', { ...OF_3, line: 2, quantity: 2 });
    },
  ],
  ['a choice of a list', 'resolved', true, ({ call }) => call('list_invoices', { status: 'pending' })],
  ['a choice of no list', 'invented_argument', false, ({ call }) => call('list_invoices', { status: 'late' })],
  [
    'an invoice of the list, for a choice of none',
    'invented_argument',
    false,
    ({ call }) => call('set_payment_terms', { invoice_id: 'INV-0001', term_days: 7 }),
  ],
  [
    'an argument that the tool does not have',
    'invented_argument',
    false,
    ({ call }) => call('approve_invoice', { invoice_id: 'INV-0001', force: true }),
  ],
  [
    'a tool that there is not',
    'invented_argument',
    false,
    ({ call }) => call('delete_invoice', { invoice_id: 'INV-0001' }),
  ],
  [
    'an invoice of the list, with text that it did not show',
    'resolved',
    true,
    ({ call }) => call('update_invoice_header', { invoice_id: 'INV-0001', tax_id: '30-1', address: 'Mitre 1' }),
  ],
];

/** Makes the call of a case, after the list and the lines of INV-0003. */
export async function aimedAt(surface: typeof appMcp, [, , , run]: Case) {
  await using scene = await openTools(surface);
  await scene.call('list_invoices');
  await scene.call('get_invoice', OF_3);
  const reply = await run(scene);
  const sight = TargetFacts.parse(reply.target);
  return { aimed: targetClass(sight), ok: reply.ok, dispatched: sight.dispatched };
}

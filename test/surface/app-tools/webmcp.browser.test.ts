import { describe, expect, test } from 'vitest';
import { webmcp } from '../../../src/surface/app-tools/webmcp.ts';
import { targetClass } from '../../../src/task/target.ts';
import { openSurface } from '../page-session.ts';

/** A page that registers one tool, which changes what it shows. */
const PAGE = `<p id="state">INV-1 is pending</p><script>
  document.modelContext.registerTool({
    name: 'cancel_invoice',
    description: 'Cancels an invoice.',
    inputSchema: { type: 'object', properties: { invoice_id: { type: 'string' } }, required: ['invoice_id'] },
    execute: async ({ invoice_id }) => {
      if (invoice_id !== 'INV-1') return { isError: true, content: [{ type: 'text', text: 'no invoice ' + invoice_id }] };
      document.querySelector('#state').textContent = invoice_id + ' is cancelled';
      return { content: [{ type: 'text', text: invoice_id + ' is cancelled' }] };
    },
  });</script>`;
const START = 'http://app.localhost/';
const open = (pages: Record<string, string>) => openSurface(() => webmcp, pages, { start: START });

describe('through the tools that a page registers', () => {
  test('an agent gets the tools that the page describes', async () => {
    await using scene = await open({ [START]: PAGE });
    expect(scene.session.tools).toMatchObject([
      { name: 'cancel_invoice', description: 'Cancels an invoice.', input_schema: { required: ['invoice_id'] } },
    ]);
  });

  test('a call does its work on the page, and the judge is notified of the tab', async () => {
    await using scene = await open({ [START]: PAGE });
    expect(await scene.call('cancel_invoice', { invoice_id: 'INV-1' })).toMatchObject({
      ok: true,
      kind: 'text',
      text: 'INV-1 is cancelled',
    });
    expect(await scene.page.textContent('#state')).toBe('INV-1 is cancelled');
    expect(scene.touched).toHaveLength(1);
  });

  test('a refusal of a tool, and an unknown tool, are replies that are not ok', async () => {
    await using scene = await open({ [START]: PAGE });
    const refused = await scene.call('cancel_invoice', { invoice_id: 'INV-9' });
    expect(refused).toMatchObject({ ok: false, kind: 'error', text: 'no invoice INV-9' });
    const { target, ...unknown } = await scene.call('delete_invoice');
    expect(unknown).toMatchObject({ ok: false, text: 'the page has no tool "delete_invoice"; it has cancel_invoice' });
    expect(target).toMatchObject({ invented: ['tool'], dispatched: false });
  });

  test('an id that was never disclosed is a phantom', async () => {
    await using scene = await open({ [START]: PAGE });
    const { target } = await scene.call('cancel_invoice', { invoice_id: 'INV-9' });
    expect(target != null && 'shown' in target ? targetClass(target) : null).toBe('phantom');
  });

  test('another page has other tools, and a page without any has none', async () => {
    await using scene = await open({ [START]: PAGE, 'http://app.localhost/plain': '<p>Plain</p>' });
    await scene.page.goto('http://app.localhost/plain');
    await scene.session.refresh?.();
    expect(scene.session.tools).toEqual([]);
  });

  test('a list that is too long for a record is refused, and the old one stays', async () => {
    const long = PAGE.replace("'Cancels an invoice.'", "'€'.repeat(5_000_000)");
    await using scene = await open({ [START]: PAGE, 'http://app.localhost/long': long });
    await scene.page.goto('http://app.localhost/long');
    await scene.session.refresh?.();
    expect(scene.session.tools).toMatchObject([{ name: 'cancel_invoice', description: 'Cancels an invoice.' }]);
  });

  test('an answer of too many parts is an error', async () => {
    const parts = PAGE.replace('return { content:', "return { parts: Array(100_000).fill('part'), content:");
    await using scene = await open({ [START]: parts });
    const reply = await scene.call('cancel_invoice', { invoice_id: 'INV-1' });
    expect(reply).toMatchObject({ ok: false, kind: 'error', text: expect.stringContaining('too long') });
    expect((await scene.call('cancel_invoice', { invoice_id: 'INV-9' })).text).toBe('no invoice INV-9');
  });
});

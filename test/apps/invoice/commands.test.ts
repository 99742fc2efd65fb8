import { describe, expect, test } from 'vitest';
import { openApp } from './open-app.ts';

const FIRST = { invoice_id: 'INV-0001' };

describe('the first book', () => {
  test('has fifteen invoices, five of each status, and eight clients', async () => {
    const { command } = await openApp();
    const { answer } = await command('list_invoices');
    const count = (status: string) => JSON.stringify(answer).split(`"status":"${status}"`).length - 1;
    expect([count('pending'), count('approved'), count('cancelled')]).toEqual([5, 5, 5]);
    expect((await command('list_clients')).answer).toMatchObject({ clients: { length: 8 } });
  });

  test('begins with the oldest invoice, of Acme, with 48 lines, four monitors and three mistakes', async () => {
    const { command } = await openApp();
    const { answer } = await command('get_invoice', FIRST);
    expect(answer).toMatchObject({ client_name: 'Acme S.A.', date: '2026-02-17', lines: { length: 48 } });
    expect(JSON.stringify(answer).match(/monitor/gi)).toHaveLength(4);
    for (const line of [1, 5, 8]) await command('correct_grammar', { ...FIRST, line });
    expect(JSON.stringify((await command('get_invoice', FIRST)).answer).match(/"corrected":true/g)).toHaveLength(3);
  });

  test('is the same each time, and another book for another seed', async () => {
    const states = await Promise.all(
      [{}, {}, { seed: 7 }, { seed: 7 }, { seed: 8 }].map(async (each) => {
        const { app } = await openApp(each);
        return JSON.stringify(await app.state());
      }),
    );
    const [first, again, drawn, drawnAgain, other] = states;
    expect([first === again, drawn === drawnAgain, drawn === other, first === drawn]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('a change', () => {
  test('is a draft until it is saved', async () => {
    const { command, held } = await openApp();
    await command('update_invoice_header', { ...FIRST, email: 'a@b.example' });
    expect(await held('invoices INV-0001 email')).toBe('administracion@acme-sa.example');
    expect(await held('drafts INV-0001 email')).toBe('a@b.example');
    await command('save_invoice', FIRST);
    expect(await held('invoices INV-0001 email')).toBe('a@b.example');
    expect(await held('drafts')).toEqual({});
  });

  test('leaves nothing when it is discarded, or undone by hand', async () => {
    const { command, app } = await openApp();
    const before = await app.state();
    await command('remove_invoice_line', { ...FIRST, line: 3 });
    await command('discard_changes', FIRST);
    await command('set_observations', { ...FIRST, observations: 'x' });
    await command('set_observations', { ...FIRST, observations: '' });
    expect(await app.state()).toEqual(before);
  });

  test('keeps the numbers of other lines, and an added and removed line leaves no gap', async () => {
    const { command, held } = await openApp();
    await command('add_invoice_line', { ...FIRST, description: 'first try' });
    await command('add_invoice_line', { ...FIRST, description: 'Monitor', unit_price: 250 });
    await command('remove_invoice_line', { ...FIRST, line: 49 });
    await command('remove_invoice_line', { ...FIRST, line: 2 });
    await command('save_invoice', FIRST);
    expect(await held('invoices INV-0001 lines 49')).toMatchObject({
      description: 'Monitor',
      unit_price_cents: 25_000,
    });
    expect(await held('invoices INV-0001 lines 50')).toBeUndefined();
    expect(await held('invoices INV-0001 lines 2')).toBeUndefined();
    expect(await held('invoices INV-0001 lines 3')).toBeDefined();
  });

  test('keeps a price in whole cents, and totals are rounded line by line', async () => {
    const { command, held } = await openApp();
    await command('create_invoice', { client_id: 'C-002' });
    const made = { invoice_id: 'INV-0016' };
    await command('add_invoice_line', {
      ...made,
      description: 'a',
      quantity: 3,
      unit_price: 0.35,
      discount_percent: 10,
    });
    const { answer } = await command('add_invoice_line', { ...made, description: 'b', unit_price: 1.1 });
    // 3 × 0.35 less 10 % is 0.945.
    expect(answer).toMatchObject({ lines: [{ total: 0.95 }, { total: 1.1 }], total: 2.05 });
    expect(await held('drafts INV-0016 lines 1 unit_price_cents')).toBe(35);
  });

  test('by the correction is marked, until the field is edited', async () => {
    const { command, held } = await openApp();
    await command('correct_grammar', { ...FIRST, line: 1 });
    await command('save_invoice', FIRST);
    const right = 'Monitor LED 24 pulgadas con soporte ajustable';
    expect(await held('invoices INV-0001 lines 1')).toMatchObject({ description: right, corrected: true });
    await command('update_invoice_line', { ...FIRST, line: 1, description: `${right}.` });
    expect(await held('drafts INV-0001 lines 1 corrected')).toBe(false);
  });
});

describe('a refused change', () => {
  const REFUSED: [why: string, name: string, args: Record<string, string | number | boolean>, code: string][] = [
    ['an invoice that is not there', 'get_invoice', { invoice_id: 'INV-0099' }, 'unknown_invoice'],
    ['a client that is not there', 'create_invoice', { client_id: 'C-099' }, 'unknown_client'],
    ['a line that is not there', 'remove_invoice_line', { ...FIRST, line: 99 }, 'unknown_line'],
    [
      'a change of an approved invoice',
      'set_observations',
      { invoice_id: 'INV-0006', observations: 'x' },
      'not_pending',
    ],
    ['cancelling an approved invoice', 'cancel_invoice', { invoice_id: 'INV-0006', confirm: true }, 'not_pending'],
    ['cancelling without a yes', 'cancel_invoice', FIRST, 'needs_confirmation'],
    ['a third decimal', 'add_invoice_line', { ...FIRST, unit_price: 1.005 }, 'bad_arguments'],
    ['an argument that nobody knows', 'cancel_invoice', { ...FIRST, force: true }, 'bad_arguments'],
    ['a command that nobody knows', 'delete_everything', {}, 'unknown_command'],
  ];

  test.each(REFUSED)('%s', async (_why, name, args, code) => {
    const { app, command } = await openApp();
    const before = await app.state();
    expect(await command(name, args)).toMatchObject({ status: 422, answer: { error: { code } } });
    expect(await app.state()).toEqual(before);
  });

  test('saving a line without a description, and approving or cancelling an unsaved invoice', async () => {
    const { command } = await openApp();
    await command('add_invoice_line', FIRST);
    expect(await command('save_invoice', FIRST)).toMatchObject({ answer: { error: { code: 'empty_description' } } });
    for (const [name, args] of [
      ['approve_invoice', FIRST],
      ['cancel_invoice', { ...FIRST, confirm: true }],
    ] as const) {
      expect(await command(name, args)).toMatchObject({ answer: { error: { code: 'unsaved_changes' } } });
    }
  });
});

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { loadApp } from '../../../src/world/load-app.ts';
import { startLocalWorld } from '../../../src/world/local.ts';
import { sharedBrowser, sharedIdentity } from '../../shared-browser.ts';
import { APP, ORIGIN } from './open-app.ts';

interface OpenPage extends AsyncDisposable {
  page: Page;
  state(): Promise<unknown>;
}

/** The app's page in a fresh context; `script` runs in it before its own. */
async function openPage(query: string, parameters: Record<string, string> = {}, script = ''): Promise<OpenPage> {
  const site = { origin: ORIGIN, create: await loadApp(APP), hasState: true, standIn: false };
  const world = await startLocalWorld({ sites: [site], parameters, identity: await sharedIdentity(), live: false });
  const browser = await (await sharedBrowser()).playwright();
  const context = await browser.newContext({ proxy: world.proxy });
  if (script !== '') await context.addInitScript(script);
  const page = await context.newPage();
  await page.goto(`${ORIGIN}/${query}`);
  await page.locator('#list, #editor').waitFor();
  return {
    page,
    state: async () => {
      const state = await world.state();
      return state.captured ? state.value : null;
    },
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await world.close();
    },
  };
}

async function controlsOf(page: Page): Promise<string[]> {
  const snapshot = await page.locator('body').ariaSnapshot();
  const lines = snapshot.split('\n').map((line) => line.trim());
  return lines.flatMap((line) => /^- '?((?:button|textbox|combobox|radio|tab) "[^"]*")/.exec(line)?.[1] ?? []);
}

const TEXTS = ':is([data-nac-role="region"], [data-nac-role="feedback"])';

async function decorationOf(page: Page, which: 'controls' | 'texts'): Promise<[id: string, label: string][]> {
  return await page
    .locator(which === 'texts' ? `[data-nac-id]${TEXTS}` : `[data-nac-id]:not(${TEXTS})`)
    .evaluateAll((elements) =>
      elements.map((each) => [
        each.getAttribute('data-nac-id') ?? '',
        each.getAttribute('aria-label') ??
          (Array.from(Object(each).labels ?? [])[0] ?? each.querySelector('legend') ?? each).textContent.trim(),
      ]),
    );
}

const VIEWS = [
  '',
  '&invoice=INV-0001&step=client',
  '&invoice=INV-0002&step=lines',
  '&invoice=INV-0002&step=conditions',
];
const ALL = ['es', 'en'].flatMap((language) => VIEWS.map((view) => `?lang=${language}${view}`));

describe.each(ALL)('the page %s', (query) => {
  test('has one name for each control, and that name alone', async () => {
    await using open = await openPage(query);
    const controls = await controlsOf(open.page);
    expect(controls.length).toBeGreaterThan(5);
    expect(controls).toEqual([...new Set(controls)]);
  });

  test('reads the same with and without NAC3', async () => {
    await using decorated = await openPage(query);
    await using stripped = await openPage(query, { decoration: 'stripped' });
    expect(await stripped.page.locator('body').ariaSnapshot()).toBe(
      await decorated.page.locator('body').ariaSnapshot(),
    );
    expect(await stripped.page.locator('body').innerText()).toBe(await decorated.page.locator('body').innerText());
    expect(await stripped.page.content()).not.toContain('nac-');
    expect(await decorated.page.content()).toContain('data-nac-plugin="invoice"');
  });
});

describe('the page', () => {
  test('has labels in the manifest that are its controls’ names, in both languages', async () => {
    const file = path.join(path.dirname(APP), 'manifest.json');
    const manifest: { elements: Spec[] } = JSON.parse(await readFile(file, 'utf8'));
    const wrong: string[][] = [];
    for (const query of ALL) {
      await using open = await openPage(query);
      const decorated = await decorationOf(open.page, 'controls');
      const labels = decorated.map(([id, label]) => [id, label, labelIn(manifest.elements, id, query.slice(6, 8))]);
      wrong.push(...labels.filter(([, label, expected]) => label !== expected));
      expect(labels.length).toBeGreaterThan(5);
    }
    expect(wrong).toEqual([]);
  });

  test('has every text that it decorates in the manifest, in both languages, and shows it unchanged', async () => {
    const file = path.join(path.dirname(APP), 'manifest.json');
    const manifest: { elements: Spec[] } = JSON.parse(await readFile(file, 'utf8'));
    for (const query of ALL) {
      await using open = await openPage(query);
      const texts = await decorationOf(open.page, 'texts');
      expect(texts.length).toBeGreaterThan(3);
      expect(texts.filter(([, text]) => text === '')).toEqual([]);
      for (const language of ['es', 'en'])
        expect(texts.filter(([id]) => labelIn(manifest.elements, id, language) === '')).toEqual([]);
    }
    expect(labelIn(manifest.elements, 'list.weight.INV-0001', 'es')).toBe('');
  });

  test.each([
    ['es', ['Número', 'Cliente', 'Fecha', 'Total', 'Estado', 'Acciones'], '17/02/2026', '11.094,60', 'Pendiente'],
    ['en', ['Number', 'Client', 'Date', 'Total', 'Status', 'Actions'], '17 February 2026', '11,094.60', 'Pending'],
  ])('has its words, dates and amounts in %s', async (language, head, ...cells) => {
    await using open = await openPage(`?lang=${language}`);
    expect(await open.page.locator('th').allInnerTexts()).toEqual(head);
    const row = await open.page.locator('#row-inv-0001').innerText();
    for (const cell of cells) expect(row).toContain(cell);
  });

  test('changes its language in place, and nothing of the invoice', async () => {
    await using open = await openPage('?lang=es&invoice=INV-0001&step=conditions');
    const before = await open.state();
    await open.page.getByLabel('Idioma').selectOption('English');
    await open.page.getByRole('button', { name: 'Save invoice' }).waitFor();
    expect(await open.page.getByLabel('Payment method').innerText()).toContain('Bank transfer');
    expect(await open.state()).toEqual(before);
  });

  test('works by keyboard alone', async () => {
    await using open = await openPage('?lang=es');
    const { page } = open;
    const name = () =>
      page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
    for (let presses = 0; presses < 20 && (await name()) !== 'Cancelar INV-0001'; presses += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await name()).toBe('No, conservar INV-0001');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Factura INV-0001 cancelada').waitFor();
    expect(await open.state()).toMatchObject({ invoices: { 'INV-0001': { status: 'cancelled' } } });
  });

  test('keeps the invoice when the dialog is left with Escape', async () => {
    await using open = await openPage('?lang=en');
    await open.page.getByRole('button', { name: 'Cancel INV-0001' }).click();
    await open.page.getByRole('dialog').waitFor();
    await open.page.keyboard.press('Escape');
    await open.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await open.state()).toMatchObject({ invoices: { 'INV-0001': { status: 'pending' } } });
  });

  test('takes numbers in either language, and names a field that holds none', async () => {
    await using open = await openPage('?lang=es&invoice=INV-0001&step=lines');
    const { page } = open;
    const price = page.getByLabel('Precio unitario de la línea 2', { exact: true });
    await price.fill('1.250,5');
    await page.getByRole('button', { name: 'Guardar factura' }).click();
    await page.getByText('Factura INV-0001 guardada').waitFor();
    expect(await open.state()).toMatchObject({
      invoices: { 'INV-0001': { lines: { 2: { unit_price_cents: 125_050 } } } },
    });
    await price.fill('mucho');
    await page.getByRole('button', { name: 'Guardar factura' }).click();
    await page.getByRole('alert').filter({ hasText: 'Precio unitario de la línea 2' }).waitFor();
    expect(await open.state()).toMatchObject({
      invoices: { 'INV-0001': { lines: { 2: { unit_price_cents: 125_050 } } } },
    });
  });
});

describe('for NAC3', () => {
  const RECORDER = `
    window.heard = []; window.synced = [];
    window.NAC = { syncPlugin: (manifest) => { window.synced.push(manifest); } };
    for (const name of ['nac:action:succeeded', 'nac:action:failed', 'nac:tab:activated', 'nac:confirm:resolved'])
      document.addEventListener(name, ({ detail }) => window.heard.push([name, detail, document.body.innerText]));`;

  test('it reports a correction as successful when its text is there, and not before', async () => {
    await using open = await openPage('?lang=es&invoice=INV-0001&step=lines', {}, RECORDER);
    await open.page.getByRole('button', { name: 'Corregir línea 1', exact: true }).click();
    await expect.poll(() => open.page.evaluate('window.heard.length')).toBe(1);
    expect(await open.page.evaluate('window.heard[0]')).toEqual([
      'nac:action:succeeded',
      { plugin: 'invoice', action_id: 'line.correct.1' },
      expect.stringContaining('corregida automáticamente'),
    ]);
  });

  test('it reports refusals', async () => {
    await using open = await openPage('?lang=es', {}, RECORDER);
    await open.page.getByRole('button', { name: 'Crear factura' }).click();
    await expect.poll(() => open.page.evaluate('window.heard.length')).toBe(1);
    expect(await open.page.evaluate('window.heard[0].slice(0, 2)')).toEqual([
      'nac:action:failed',
      { plugin: 'invoice', action_id: 'invoice.create', error: 'no_client' },
    ]);
  });

  test('it registers its elements, and accepts another manifest instead of its own', async () => {
    await using open = await openPage('?lang=en&invoice=INV-0002&step=lines', {}, RECORDER);
    const registered = await open.page.evaluate('JSON.stringify(window.synced.at(-1))');
    expect(registered).toContain('"field.line_1_description"');
    expect(registered).not.toContain('{line}');
    await using other = await openPage('?lang=en', { manifest: 'no-such.json' }, RECORDER);
    expect(await other.page.evaluate('window.synced')).toEqual([]);
  });

  const FINDINGS = 'NAC.validate_global({ probe: true })';
  const LATER = ['page.message', 'list.empty', 'cancel.text', 'invoice.unsaved', 'invoice.closed', 'invoice.no_lines'];

  test('it has no fault that its runtime finds, and no element in its manifest without a view', async () => {
    const missing: Set<string | null>[] = [];
    for (const query of ALL) {
      await using open = await openPage(query);
      const validation: Validation = JSON.parse(await inNac3(open.page, FINDINGS));
      expect(validation).toMatchObject({
        ok: true,
        duplicates: [],
        orphans: [],
        unmounted: [],
        convention_violations: [],
      });
      const { findings } = validation;
      // A verb for each row, and what other views show, are warnings: a list has rows, and a page is not all in one view.
      expect(findings.filter(({ code }) => code !== 'duplicate_verb' && code !== 'missing_in_dom')).toEqual([]);
      missing.push(new Set(findings.filter(({ code }) => code === 'missing_in_dom').map(({ nac_id: id }) => id)));
    }
    const [first = new Set<string | null>(), ...others] = missing;
    expect([...first].filter((id) => others.every((ids) => ids.has(id)))).toEqual(LATER);
  });

  test('it has one as soon as two of its texts share an id', async () => {
    await using open = await openPage('?lang=es');
    await open.page
      .locator('[data-nac-id="list.total.INV-0002"]')
      .evaluate((cell) => cell.setAttribute('data-nac-id', 'list.total.INV-0001'));
    const validation: Validation = JSON.parse(await inNac3(open.page, FINDINGS));
    expect(validation).toMatchObject({ ok: false, duplicates: ['list.total.INV-0001'] });
  });

  test('it does nothing with a payload that a user could not do in one step', async () => {
    await using open = await openPage('?lang=en&invoice=INV-0002&step=lines', {}, RECORDER);
    await open.page.evaluate(
      `document.dispatchEvent(new CustomEvent('nac:action:requested', { detail: { action_id: 'line.add', request_id: 'r1', payload: { description: 'Monitor' } } }))`,
    );
    expect(await open.page.evaluate('window.heard[0].slice(0, 2)')).toEqual([
      'nac:action:failed',
      { plugin: 'invoice', action_id: 'line.add', request_id: 'r1', error: 'verb_not_supported' },
    ]);
    expect(await open.state()).toMatchObject({ drafts: {} });
  });
});

describe('as tools of the page', () => {
  const CONTEXT = `
    const tools = new Map(); window.tools = tools;
    Object.defineProperty(document, 'modelContext', { value: { registerTool: (tool) => tools.set(tool.name, tool) } });`;

  test('the commands work, and the page shows the result', async () => {
    await using open = await openPage('?lang=en', {}, CONTEXT);
    await expect.poll(() => open.page.evaluate('window.tools.size')).toBe(15);
    const args = JSON.stringify({ invoice_id: 'INV-0003', confirm: true });
    await open.page.evaluate(`window.tools.get('cancel_invoice').execute(${args})`);
    await open.page.locator('#row-inv-0003').getByText('Cancelled').waitFor();
    const refused = await open.page.evaluate(`window.tools.get('cancel_invoice').execute(${args})`);
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('is cancelled') }] });
  });
});

async function inNac3(page: Page, call: string): Promise<string> {
  return await page.evaluate(`Promise.resolve(${call}).then(JSON.stringify)`);
}

interface Validation {
  ok: boolean;
  findings: { code: string; nac_id: string | null }[];
}

interface Spec {
  id: string;
  label_i18n: Record<string, string>;
}

function labelIn(elements: Spec[], id: string, language: string): string {
  const spec = elements.find((each) => patternOf(each.id).test(id));
  const value = patternOf(spec?.id ?? '').exec(id)?.[1] ?? '';
  return spec?.label_i18n[language]?.replace(/\{\w+\}/, value) ?? '';
}

function patternOf(id: string): RegExp {
  return new RegExp(`^${id.replaceAll('.', '\\.').replace(/\{\w+\}/, '(INV-\\d+|\\d+)')}$`);
}

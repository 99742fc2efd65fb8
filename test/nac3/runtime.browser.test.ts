import { describe, expect, test } from 'vitest';
import { nac3Page, openNac3, outcome, runtimePages } from './nac3-page.ts';
import { openScene } from '../browser/scene.ts';

const code = (text: string) => expect.objectContaining({ code: text });
const SAVE = '<button data-nac-id="shop.save" data-nac-role="action" data-nac-action="save">Save</button>';
/** A host that answers clicks on an element after a promise, as the standard wants it. */
const answering = (id: string, event: string, detail: object = {}) => `
  document.querySelector('[data-nac-id="${id}"]').addEventListener('click', async () => {
    await Promise.resolve();
    document.dispatchEvent(new CustomEvent('${event}', { detail: { plugin: 'shop', ...${JSON.stringify(detail)} } }));
  });`;

describe('the description of a page', () => {
  test('the standard and the runtime have separate versions', async () => {
    await using scene = await openNac3(SAVE);
    expect(await outcome(scene, '[NAC.version, NAC.describe().nac_version, NAC.runtime_version]')).toEqual([
      '2.3.0',
      '2.3.0',
      expect.stringMatching(/^touchstone-nac3 \d/),
    ]);
  });

  test('a root is found by its attribute, its elements with role, label, value and state', async () => {
    await using scene = await openNac3(
      `${SAVE}<label>Name <input data-nac-id="shop.name" data-nac-role="field" data-nac-field-type="text" value="Ada"></label>`,
    );
    expect(await outcome(scene, 'NAC.describe()')).toMatchObject({
      url: 'http://a.test/',
      active: 'shop',
      plugins: [
        {
          plugin: 'shop',
          plugin_instance_id: null,
          plugin_state: 'ready',
          elements: [
            { nac_id: 'shop.save', role: 'action', action: 'save', label: 'Save', visible: true, disabled: false },
            { nac_id: 'shop.name', role: 'field', field_type: 'text', label: 'Name', value: 'Ada' },
          ],
        },
      ],
    });
  });

  test('a manifest without a root is invisible', async () => {
    await using scene = await openScene({
      'http://a.test/': nac3Page('<p>Nothing</p>'),
      ...(await runtimePages()),
    });
    await scene.page.goto('http://a.test/');
    expect(await outcome(scene, '[NAC.describe().plugins, NAC.manifest("shop").plugin_slug]')).toEqual([[], 'shop']);
  });

  test('an element belongs to its nearest root alone', async () => {
    await using scene = await openNac3(
      '<section data-nac-plugin="inner"><button data-nac-id="inner.go">Go</button></section>',
    );
    expect(await outcome(scene, 'NAC.describe().plugins.map((each) => [each.plugin, each.elements.length])')).toEqual([
      ['shop', 0],
      ['inner', 1],
    ]);
  });

  test('open shadow roots are searched, to a depth of ten', async () => {
    const nested = `
      let at = document.querySelector('main');
      for (let depth = 1; depth <= 11; depth += 1) {
        const host = document.createElement('div');
        at.append(host);
        at = host.attachShadow({ mode: 'open' });
        at.innerHTML = '<button data-nac-id="shop.at_' + depth + '">B</button>';
      }`;
    await using scene = await openNac3('', { host: nested });
    expect(await outcome(scene, 'NAC.list().map((each) => each.nac_id).sort()')).toEqual(
      Array.from({ length: 10 }, (_, index) => `shop.at_${index + 1}`).toSorted(),
    );
  });

  test('the structure has a version, which no value changes', async () => {
    await using scene = await openNac3('<input data-nac-id="shop.name" data-nac-role="field">');
    const versions = `[
      NAC.describe().tree_version,
      (document.querySelector('input').value = 'x', NAC.describe().tree_version),
      (document.querySelector('input').remove(), NAC.describe().tree_version),
    ]`;
    expect(await outcome(scene, versions)).toEqual(['v_1', 'v_1', 'v_2']);
  });

  test('lists the options of a list, so that agents need not guess', async () => {
    await using scene = await openNac3(
      '<select data-nac-id="shop.pay" data-nac-role="field" aria-label="Payment"><option value="cash">Cash</option></select>',
    );
    expect(await outcome(scene, 'NAC.find("shop.pay").options')).toEqual([
      { value: 'cash', label: 'Cash', disabled: false },
    ]);
  });
});

describe('manifests', () => {
  test('syncPlugin does nothing when the manifest is the same, whatever the order of its keys', async () => {
    await using scene = await openNac3(SAVE);
    const result = `(() => {
      let registered = 0;
      document.addEventListener('nac:registered', () => { registered += 1; });
      return [
        NAC.syncPlugin({ nac_version: '2.3.0', plugin_slug: 'shop' }),
        NAC.syncPlugin({ nac_version: '2.3.0', plugin_slug: 'shop', version: '2' }),
        registered,
      ];
    })()`;
    expect(await outcome(scene, result)).toEqual([{ ok: true, changed: false }, { ok: true, changed: true }, 1]);
  });

  test('register replaces, and unregister removes', async () => {
    await using scene = await openNac3(SAVE);
    const steps = `[
      NAC.register('shop', { nac_version: '2.3.0', version: '9' }),
      NAC.manifest('shop').version, NAC.unregister('shop'), NAC.manifest('shop'),
    ]`;
    expect(await outcome(scene, steps)).toEqual([{ ok: true }, '9', { ok: true }, null]);
  });

  test.each([
    ['{ plugin_slug: "shop" }', 'invalid'],
    [
      '{ plugin_slug: "shop", nac_version: "2.3.0", elements: [{ id: "shop.save", role: "wizard" }] }',
      'strict_validation',
    ],
    ['{ plugin_slug: "shop", nac_version: "2.3.0", elements: [{ id: "tab.a", role: "action" }] }', 'strict_validation'],
    [
      '{ plugin_slug: "shop", nac_version: "2.3.0", elements: [{ id: "shop.save", role: "tab" }] }',
      'strict_validation',
    ],
  ])('%s is refused as %s', async (manifest, expected) => {
    await using scene = await openNac3(SAVE);
    expect(await outcome(scene, `NAC.register(${manifest})`)).toEqual(code(expected));
  });

  test('two roots of a plugin need instance ids of their own', async () => {
    const twins = (first: string, second: string) =>
      `<div data-nac-plugin="row" ${first}></div><div data-nac-plugin="row" ${second}></div>`;
    const register = 'NAC.register({ plugin_slug: "row", nac_version: "2.3.0" })';
    await using without = await openNac3(twins('', 'data-nac-plugin-id="1"'));
    expect(await outcome(without, register)).toEqual(code('duplicate_plugin_no_instance_id'));
    await using same = await openNac3(twins('data-nac-plugin-id="1"', 'data-nac-plugin-id="1"'));
    expect(await outcome(same, register)).toEqual(code('duplicate_plugin_no_instance_id'));
    await using unique = await openNac3(twins('data-nac-plugin-id="1"', 'data-nac-plugin-id="2"'));
    expect(await outcome(unique, register)).toEqual({ ok: true });
  });
});

describe('a click', () => {
  test.each([
    ['action', 'nac:action:succeeded', 'action_id'],
    ['accordion-toggle', 'nac:accordion:expanded', 'element_id'],
    ['step', 'nac:step:advanced', 'step_id'],
    ['pagination-item', 'nac:table:page_changed', 'page_id'],
    ['confirm-button', 'nac:confirm:resolved', 'confirm_id'],
    ['sort-control', 'nac:table:sort_changed', 'control_id'],
    ['filter-control', 'nac:table:filter_changed', 'control_id'],
    ['breadcrumb-item', 'nac:breadcrumb:navigated', 'item_id'],
    ['tab', 'nac:tab:activated', 'tab_id'],
  ])('on %s waits for %s', async (role, event, idField) => {
    await using scene = await openNac3(`<button data-nac-id="shop.it" data-nac-role="${role}">It</button>`, {
      host: answering('shop.it', event, { [idField]: 'shop.it' }),
    });
    expect(await outcome(scene, 'NAC.click("shop.it")')).toMatchObject({ ok: true, event });
  });

  test('is not ok if the host fails it', async () => {
    await using scene = await openNac3(SAVE, {
      host: answering('shop.save', 'nac:action:failed', { action_id: 'shop.save', error: 'closed' }),
    });
    expect(await outcome(scene, 'NAC.click("shop.save")')).toMatchObject({
      ok: false,
      event: 'nac:action:failed',
      detail: { error: 'closed' },
    });
  });

  test('times out if no element answers, or only another one', async () => {
    await using scene = await openNac3(SAVE, {
      host: answering('shop.save', 'nac:action:succeeded', { action_id: 'shop.other' }),
    });
    expect(await outcome(scene, 'NAC.click("shop.save", { timeout: 200 })')).toEqual(code('timeout'));
  });

  test.each([
    ['disabled', '<button disabled data-nac-id="shop.it">It</button>'],
    ['disabled', '<button aria-disabled="true" data-nac-id="shop.it">It</button>'],
    ['hidden', '<button hidden data-nac-id="shop.it">It</button>'],
    ['hidden', '<button style="display: none" data-nac-id="shop.it">It</button>'],
    ['hidden', '<button aria-hidden="true" data-nac-id="shop.it">It</button>'],
    ['inert', '<div inert><button data-nac-id="shop.it">It</button></div>'],
    ['aria_busy', '<button aria-busy="true" data-nac-id="shop.it">It</button>'],
    ['not_found', '<button data-nac-id="shop.other">It</button>'],
    ['ambiguous', '<button data-nac-id="shop.it">It</button><button data-nac-id="shop.it">It</button>'],
  ])('is refused as %s on %s', async (expected, body) => {
    await using scene = await openNac3(body, { host: 'document.onclick = () => { document.title = "clicked"; };' });
    const rejected = `(() => {
      const heard = NAC.wait_for('nac:command:rejected', 1000);
      return NAC.click('shop.it').catch(async (error) => ({ code: error.code, reason: (await heard).reason }));
    })()`;
    expect(await outcome(scene, rejected)).toEqual({ code: expected, reason: expected });
    expect(await scene.page.title()).toBe('Test');
  });

  test('selects the element of the active plugin if another plugin has the same id', async () => {
    const other = '<div data-nac-plugin="other"><button data-nac-id="go">Wrong</button></div>';
    await using scene = await openNac3(`<button data-nac-id="go">Right</button>${other}`);
    expect(await outcome(scene, 'NAC.find("go").label')).toBe('Right');
    expect(await outcome(scene, 'NAC.find("go", { plugin: "other" }).label')).toBe('Wrong');
  });
});

describe('click_by_verb', () => {
  const BOUND = `NAC.bindAction(document.querySelector('[data-nac-id="shop.save"]'), ({ verb, payload }) => ({ verb, payload }));`;

  test('finds the verb by its attribute', async () => {
    await using scene = await openNac3(SAVE, { host: BOUND });
    expect(await outcome(scene, 'NAC.click_by_verb("shop", "save")')).toMatchObject({ ok: true });
    expect(await outcome(scene, 'NAC.click_by_verb(null, "delete")')).toEqual(code('not_found'));
  });

  test.each(['elements', 'actions'])(
    'finds the verb that the manifest declares in %s, and gives its arguments to the host',
    async (list) => {
      const spec = { verb: 'store', args_schema: { note: { type: 'string', required: true } } };
      const manifest =
        list === 'elements'
          ? { elements: [{ id: 'shop.save', role: 'action', actions: [spec] }] }
          : { actions: [{ nac_id: 'shop.save', ...spec }] };
      await using scene = await openNac3(SAVE, { host: BOUND, manifest });
      expect(await outcome(scene, 'NAC.click_by_verb("shop", "store", { args: { note: "hi" } })')).toMatchObject({
        ok: true,
        detail: { ack: { verb: 'store', payload: { note: 'hi' } } },
      });
      expect(await outcome(scene, 'NAC.click_by_verb("shop", "store", { args: {} })')).toEqual(code('invalid'));
      expect(await outcome(scene, 'NAC.click_by_verb("shop", "store", { args: { note: "x", other: 1 } })')).toEqual(
        code('invalid'),
      );
    },
  );

  test('does not guess if several elements have the verb', async () => {
    const twice = `${SAVE}<button data-nac-id="shop.save_all" data-nac-action="save">All</button>`;
    await using scene = await openNac3(twice);
    expect(await outcome(scene, 'NAC.click_by_verb("shop", "save")')).toEqual(code('ambiguous'));
  });

  test('reports an unknown plugin', async () => {
    await using scene = await openNac3(SAVE);
    expect(await outcome(scene, 'NAC.click_by_verb("mall", "save")')).toEqual(code('plugin_not_found'));
  });
});

describe('fields', () => {
  test('fill sets the value as a user would, and reports it by field_id alone', async () => {
    await using scene = await openNac3('<input data-nac-id="shop.name" data-nac-role="field" value="old">', {
      host: `window.seen = []; document.addEventListener('input', () => seen.push('input'));
        document.addEventListener('change', () => seen.push('change'));
        document.addEventListener('nac:field:changed', (event) => seen.push(event.detail));`,
    });
    expect(await outcome(scene, 'NAC.fill("shop.name", "Ada")')).toMatchObject({ ok: true });
    expect(await outcome(scene, 'seen')).toEqual([
      'input',
      'change',
      { plugin: 'shop', field_id: 'shop.name', value: 'Ada' },
    ]);
    expect(await scene.page.inputValue('input')).toBe('Ada');
  });

  test.each([
    ['disabled', '<input disabled data-nac-id="shop.it" data-nac-role="field">'],
    ['readonly', '<input readonly data-nac-id="shop.it" data-nac-role="field">'],
    ['hidden', '<input hidden data-nac-id="shop.it" data-nac-role="field">'],
    ['invalid', '<input type="date" data-nac-id="shop.it" data-nac-role="field">'],
    ['role_mismatch', '<button data-nac-id="shop.it" data-nac-role="action">It</button>'],
    ['field_not_found', '<input data-nac-id="shop.other" data-nac-role="field">'],
  ])('fill is refused as %s on %s', async (expected, body) => {
    await using scene = await openNac3(body);
    expect(await outcome(scene, 'NAC.fill("shop.it", "x")')).toEqual(code(expected));
  });

  test('fill turns a box on and off, and a click turns it too', async () => {
    await using scene = await openNac3(
      '<input type="checkbox" data-nac-id="shop.yes" data-nac-role="field" data-nac-field-type="checkbox" aria-label="Yes">',
    );
    await outcome(scene, 'NAC.fill("shop.yes", true)');
    expect(await scene.page.isChecked('input')).toBe(true);
    await outcome(scene, 'NAC.fill("shop.yes", false)');
    expect(await scene.page.isChecked('input')).toBe(false);
    expect(await outcome(scene, 'NAC.click("shop.yes")')).toMatchObject({ ok: true, event: 'nac:field:changed' });
    expect(await scene.page.isChecked('input')).toBe(true);
  });

  test('select takes the value or the text of an option, and no missing one', async () => {
    await using scene = await openNac3(
      '<select data-nac-id="shop.pay" data-nac-role="field"><option value="a">Cash</option><option value="b">Card</option></select>',
    );
    expect(await outcome(scene, 'NAC.select("shop.pay", "b")')).toMatchObject({ ok: true });
    expect(await scene.page.inputValue('select')).toBe('b');
    expect(await outcome(scene, 'NAC.select("shop.pay", "Cash")')).toMatchObject({ ok: true });
    expect(await scene.page.inputValue('select')).toBe('a');
    expect(await outcome(scene, 'NAC.select("shop.pay", "Ca")')).toEqual(code('OptionsUnavailable'));
  });

  test('select clicks an option that is an element of its own', async () => {
    const option = (id: string) =>
      `<input type="radio" name="t" value="${id}" data-nac-id="shop.term.${id}" data-nac-role="option">`;
    await using scene = await openNac3(
      `<div data-nac-id="shop.term" data-nac-role="field">${option('0')}${option('30')}</div>`,
    );
    expect(await outcome(scene, 'NAC.select("shop.term", "30")')).toMatchObject({ ok: true });
    expect(await scene.page.isChecked('[value="30"]')).toBe(true);
    expect(await outcome(scene, 'NAC.select("shop.term", "45")')).toEqual(code('OptionsUnavailable'));
  });
});

describe('tabs', () => {
  const TABS =
    '<button data-nac-id="tab.lines" data-nac-role="tab">Lines (48)</button><button data-nac-id="tab.terms" data-nac-role="tab">Terms</button>';
  const MANIFEST = { elements: [{ id: 'tab.lines', role: 'tab', label_i18n: { en: 'Lines', es: 'Líneas' } }] };
  const HOST = answering('tab.lines', 'nac:tab:activated', { tab_id: 'tab.lines' });

  test.each([
    'tab("shop", "tab.lines")',
    'tab("shop", "lines")',
    'tab(null, "lines")',
    'tab_by_label("shop", "lines")',
    'tab_by_label(null, "LÍNEAS")',
  ])('%s opens it', async (call) => {
    await using scene = await openNac3(TABS, { host: HOST, manifest: MANIFEST });
    expect(await outcome(scene, `NAC.${call}`)).toMatchObject({ ok: true, event: 'nac:tab:activated' });
  });

  test.each([
    'tab("shop", "line")',
    'tab("shop", "payment")',
    'tab_by_label("shop", "Payment")',
    'tab_by_label("shop", "")',
  ])('%s finds none', async (call) => {
    await using scene = await openNac3(TABS, { host: HOST, manifest: MANIFEST });
    expect(await outcome(scene, `NAC.${call}`)).toEqual(code('not_found'));
  });

  test('one that is not activated is a timeout, and nac:tab:changed is no answer', async () => {
    await using scene = await openNac3(TABS, {
      host: answering('tab.lines', 'nac:tab:changed', { tab_id: 'tab.lines' }),
    });
    expect(await outcome(scene, 'NAC.tab("shop", "lines", { timeout: 200 })')).toEqual(code('timeout'));
  });

  test('a label that fits several is ambiguous', async () => {
    await using scene = await openNac3(`${TABS}<button data-nac-id="tab.more" data-nac-role="tab">More terms</button>`);
    expect(await outcome(scene, 'NAC.tab_by_label("shop", "erms")')).toEqual(code('ambiguous'));
  });
});

import { expect, test } from 'vitest';
import { targetClass, TargetFacts } from '../../../src/task/target.ts';
import { nac3Page } from '../../nac3/nac3-page.ts';
import { element, openNac3On, openShop, shown } from './nac3-session.ts';

const SAVE = '<button data-nac-id="shop.save" data-nac-action="save">Save</button>';
const TAB = '<button data-nac-id="tab.lines" data-nac-role="tab">Lines</button>';

test('describe shows the page in one language, without flags that are off, and with the additions of the manifest', async () => {
  const actions = [
    { verb: 'store', label_i18n: { es: 'Guardar', en: 'Store' }, args_schema: { note: { type: 'string' } } },
  ];
  await using scene = await openShop(
    `${SAVE}<select data-nac-id="shop.pay" data-nac-role="field" aria-label="Pago"><option value="a">Contado</option></select>
     <button data-nac-id="shop.gone" hidden>Gone</button>`,
    {
      host: `document.documentElement.lang = 'es-AR';`,
      manifest: { elements: [{ id: 'shop.save', role: 'action', actions }] },
    },
  );
  const reply = await scene.call('describe');
  expect(reply).toMatchObject({ ok: true, kind: 'snapshot' });
  expect(reply.text).toMatch(/^Page: http:\/\/a\.test\/\nTabs: 0 \(current\): http:\/\/a\.test\/\n\n\{/);
  expect(shown(reply)).toEqual({
    active: 'shop',
    plugins: [
      {
        plugin: 'shop',
        state: 'ready',
        elements: [
          {
            nac_id: 'shop.save',
            role: 'action',
            label: 'Save',
            action: 'save',
            verbs: [{ verb: 'store', label: 'Guardar', args: { note: { type: 'string' } } }],
          },
          {
            nac_id: 'shop.pay',
            role: 'field',
            label: 'Pago',
            value: 'a',
            options: [{ value: 'a', label: 'Contado' }],
          },
          { nac_id: 'shop.gone', role: 'action', label: 'Gone', hidden: true },
        ],
      },
    ],
  });
});

test('a verb has a label only if it differs from that of its element', async () => {
  const actions = [
    { verb: 'store', label_i18n: { en: 'Save' } },
    { verb: 'keep', label_i18n: { en: 'Keep' } },
  ];
  await using scene = await openShop(SAVE, { manifest: { elements: [{ id: 'shop.save', role: 'action', actions }] } });
  const { label, verbs } = element(await scene.call('describe'), 'shop.save');
  expect({ label, verbs }).toEqual({ label: 'Save', verbs: [{ verb: 'store' }, { verb: 'keep', label: 'Keep' }] });
});

test('an action shows its result, and the answer of its host', async () => {
  await using scene = await openShop(SAVE, {
    manifest: {
      elements: [{ id: 'shop.save', role: 'action', actions: [{ verb: 'store', args_schema: { note: {} } }] }],
    },
  });
  await scene.call('describe');
  const reply = await scene.call('click_by_verb', { plugin: 'shop', verb: 'store', args: { note: 'hi' } });
  expect(reply.text).toMatch(/^Result: .*"payload":\{"note":"hi"\}/);
  expect(element(reply, 'shop.save').state).toBe('done');
});

test('the results of fill and select are shown', async () => {
  await using scene = await openShop(
    `<label>Note <input data-nac-id="shop.note" data-nac-role="field"></label>
     <label>Paid <input type="checkbox" data-nac-id="shop.paid" data-nac-role="field"></label>
     <select data-nac-id="shop.pay" data-nac-role="field"><option value="a">Cash</option><option value="b">Card</option></select>`,
  );
  await scene.call('describe');
  expect(element(await scene.call('fill', { nac_id: 'shop.note', value: 'x "y"' }), 'shop.note').value).toBe('x "y"');
  expect(element(await scene.call('fill', { nac_id: 'shop.paid', value: true }), 'shop.paid').checked).toBe(true);
  expect(element(await scene.call('select', { nac_id: 'shop.pay', value: 'Card' }), 'shop.pay').value).toBe('b');
});

test('the refusal of an action lists the choices', async () => {
  await using scene = await openShop(`${SAVE}${TAB}`);
  await scene.call('describe');
  expect((await scene.call('click', { nac_id: 'shop.send' })).text).toContain('there is shop.save, tab.lines');
  expect((await scene.call('click_by_verb', { verb: 'send' })).text).toContain('there is save');
  expect((await scene.call('tab', { tab_key: 'terms' })).text).toContain('there is tab.lines');
  expect((await scene.call('tab_by_label', { label: 'Terms' })).text).toContain('there is Lines');
});

test.each([
  [
    'that refuses',
    'closed',
    {
      host: `NAC.bindAction(document.querySelector('b'), () => { throw Object.assign(new Error(), { code: 'closed' }); });`,
    },
  ],
  ['that does not answer', 'timeout', { timeoutMs: 3_000 }],
])('a host %s is an error', async (_, word, setting) => {
  await using scene = await openShop('<b data-nac-id="shop.save">Save</b>', setting);
  await scene.call('describe');
  const reply = await scene.call('click', { nac_id: 'shop.save' });
  expect(reply).toMatchObject({ ok: false, text: expect.stringContaining(word), target: { dispatched: true } });
});

test('a tab is opened by its short key, its whole id or its label', async () => {
  await using scene = await openShop(TAB);
  await scene.call('describe');
  for (const [tool, args] of [
    ['tab', { tab_key: 'lines' }],
    ['tab', { tab_key: 'tab.lines' }],
    ['tab_by_label', { label: 'Lines' }],
  ] as const) {
    expect(await scene.call(tool, args)).toMatchObject({ ok: true });
  }
  expect(await scene.page.evaluate('done')).toEqual(['tab.lines', 'tab.lines', 'tab.lines']);
});

test('an action may lead to another page before it answers', async () => {
  await using scene = await openNac3On({
    'http://a.test/': nac3Page('<main data-nac-plugin="shop"><a href="/b" data-nac-id="shop.next">Next</a></main>'),
    'http://a.test/b': nac3Page('<main data-nac-plugin="shop"><b data-nac-id="shop.there">There</b></main>'),
  });
  await scene.call('describe');
  const reply = await scene.call('click', { nac_id: 'shop.next' });
  expect(reply).toMatchObject({ ok: true, text: expect.stringContaining('Page: http://a.test/b') });
  expect(element(reply, 'shop.there').label).toBe('There');
});

test('a page without NAC is a notice, and other pages can be reached', async () => {
  await using scene = await openNac3On({
    'http://a.test/': '<button>Plain</button>',
    'http://a.test/shop': nac3Page(`<main data-nac-plugin="shop">${SAVE}</main>`),
  });
  const notice = expect.stringContaining('this page has no NAC3 runtime');
  expect(await scene.call('describe')).toMatchObject({ ok: false, kind: 'error', text: notice });
  const click = await scene.call('click', { nac_id: 'shop.save' });
  expect(click).toMatchObject({ ok: false, text: notice });
  expect(targetClass(TargetFacts.parse(click.target))).toBe('phantom');
  const there = await scene.call('navigate', { url: 'http://a.test/shop' });
  expect(element(there, 'shop.save').label).toBe('Save');
  expect(await scene.call('navigate', { url: 'http://a.test/' })).toMatchObject({
    ok: true,
    kind: 'text',
    text: notice,
  });
});

test('the version is that of the running runtime', async () => {
  await using none = await openNac3On({ 'http://a.test/': '' });
  await none.call('describe');
  expect(none.session.runtimeVersion).toBe(null);
  await using ours = await openShop(SAVE);
  await ours.call('describe');
  expect(ours.session.runtimeVersion).toMatch(/^touchstone-nac3 \d/);
  await using vendors = await openNac3On({ 'http://a.test/': VENDOR });
  await vendors.call('describe');
  expect(vendors.session.runtimeVersion).toBe('2.2.1');
});

/** Another runtime within the standard: all it does is asynchronous, it takes whole tab ids alone, and lists what is in nested roots twice. */
const VENDOR = `<main data-nac-plugin="shop">
    <button data-nac-id="tab.lines" data-nac-role="tab">Lines</button>
    <section data-nac-plugin="inner"><button data-nac-id="inner.go">Go</button></section>
  </main><script>
    const done = [];
    const element = (nac_id, plugin, role) => ({ nac_id, plugin, role, label: nac_id, visible: true, disabled: false, a11y_hint: null });
    const inner = element('inner.go', 'inner', 'action');
    window.NAC = {
      version: '2.2.1',
      describe: async () => ({ nac_version: '2.2', active: 'shop', plugins: [
        { plugin: 'shop', plugin_instance_id: null, elements: [element('tab.lines', 'shop', 'tab'), inner] },
        { plugin: 'inner', plugin_instance_id: null, elements: [inner] },
      ] }),
      manifest: async () => [{ plugin_slug: 'shop', nac_version: '2.2', elements: [{ id: 'tab.lines', role: 'tab' }] }],
      tab: async (plugin, key) => {
        if (key !== 'tab.lines') throw Object.assign(new Error('tab ' + key + ' missing'), { code: 'not_found' });
        done.push(key);
        return { ok: true };
      },
      click: async (id) => (done.push(id), { ok: true }),
    };
  </script>`;

test("a page's own runtime from another vendor works too", async () => {
  await using scene = await openNac3On({ 'http://a.test/': VENDOR });
  expect(shown(await scene.call('describe')).plugins.map(({ elements }) => elements.length)).toEqual([1, 1]);
  expect(await scene.call('tab', { tab_key: 'lines' })).toMatchObject({ ok: true });
  expect(await scene.call('click', { nac_id: 'inner.go' })).toMatchObject({ ok: true });
  expect(await scene.page.evaluate('done')).toEqual(['tab.lines', 'inner.go']);
  expect(await scene.call('click_by_verb', { plugin: 'inner', verb: 'go' })).toMatchObject({ ok: false });
});

test.each([
  ['throws', 'describe() { throw new Error("broken\\n\\n{}"); }', 'failed: Error: broken {}'],
  ['is of another form', 'describe: () => 7', 'not of the form of NAC3 2.3'],
  ['gives what is no JSON', 'describe: () => ({ plugins: [], self: globalThis })', 'failed: '],
  ['is too long', 'describe: () => ({ plugins: [], text: "x".repeat(2_000_000) })', 'characters long'],
  ['has too many values', 'describe: () => ({ plugins: [], list: Array(99_999).fill(0) })', 'not be read'],
  ['never comes', 'describe: () => new Promise(() => {})', 'did not answer within'],
  ['is no function', 'describe: 1', 'no NAC3 runtime'],
])('a describe() that %s is an error, and breaks nothing', async (_what, member, expected) => {
  await using scene = await openNac3On({ 'http://a.test/': `<script>window.NAC = { ${member} };</script>` }, 500);
  expect(await scene.call('describe')).toMatchObject({
    ok: false,
    kind: 'error',
    text: expect.stringContaining(expected),
  });
});

test('a page that never ends its work times out', async () => {
  await using scene = await openNac3On(
    { 'http://a.test/': `<script>window.NAC = { describe() { for (;;); } };</script>`, 'http://b.test/': '<p>B</p>' },
    500,
  );
  expect(await scene.call('describe')).toMatchObject({ ok: false, text: expect.stringContaining('did not answer') });
});

test("members in a form other than the standard's are left out", async () => {
  const describe = `() => ({ active: 9, plugins: [{ plugin: 'shop', elements: [
    null, 'x', { nac_id: 5 }, { nac_id: 'shop.save', role: 7, label: { a: 1 }, visible: 'yes', a11y_hint: [1, 'costly'], options: [3] },
  ] }] })`;
  await using scene = await openNac3On({
    'http://a.test/': `<script>window.NAC = { describe: ${describe} };</script>`,
  });
  expect(shown(await scene.call('describe'))).toEqual({
    plugins: [{ plugin: 'shop', elements: [{ nac_id: 'shop.save', role: 'action', hints: ['costly'] }] }],
  });
});

test('a page that reports success cannot make up elements that it does not describe', async () => {
  const nac = `{ describe: () => ({ plugins: [] }), click: () => { document.title = 'called'; return { ok: true }; } }`;
  await using scene = await openNac3On({ 'http://a.test/': `<script>window.NAC = ${nac};</script>` });
  await scene.call('describe');
  expect(await scene.call('click', { nac_id: 'shop.save' })).toMatchObject({ ok: false });
  expect(await scene.page.title()).toBe('Test');
});

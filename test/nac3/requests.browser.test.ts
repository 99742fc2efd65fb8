import { describe, expect, test } from 'vitest';
import { openScene } from '../browser/scene.ts';
import { nac3Page, openNac3, outcome, runtimePages } from './nac3-page.ts';

const code = (text: string) => expect.objectContaining({ code: text });
const SAVE = '<button data-nac-id="shop.save" data-nac-role="action" data-nac-action="save">Save</button>';

describe('invoke and utter', () => {
  const echo = (answer: string) => `document.addEventListener('nac:action:requested', async (event) => {
    const { action_id, request_id, payload, verb } = event.detail;
    const reply = (name, id, more) => document.dispatchEvent(
      new CustomEvent(name, { detail: { plugin: 'shop', action_id, request_id: id, ...more } }));
    await Promise.resolve();
    ${answer}
  });`;

  test('the answer to the request is the first that echoes its id', async () => {
    await using scene = await openNac3(SAVE, {
      host: echo(`reply('nac:action:failed', 'of another', { error: 'no' });
        reply('nac:action:succeeded', request_id, { ack: { verb, payload } });
        reply('nac:action:failed', request_id, { error: 'too late' });`),
    });
    expect(await outcome(scene, 'NAC.invoke("shop.save", { note: "hi" })')).toMatchObject({
      ok: true,
      detail: { ack: { verb: 'save', payload: { note: 'hi' } } },
    });
  });

  test('a host that fails is not ok, with its error', async () => {
    await using scene = await openNac3(SAVE, {
      host: echo(`reply('nac:action:failed', request_id, { error: 'verb_not_supported' });`),
    });
    expect(await outcome(scene, 'NAC.utter("shop.save", { text: "hello", lang: "en" })')).toMatchObject({
      ok: false,
      detail: { error: 'verb_not_supported' },
    });
  });

  test('a request without an echo times out', async () => {
    await using scene = await openNac3(SAVE, { host: echo(`reply('nac:action:succeeded', 'of another', {});`) });
    expect(await outcome(scene, 'NAC.invoke("shop.save", {}, { timeout: 200 })')).toEqual(code('timeout'));
  });

  test('an element that cannot be clicked cannot be invoked, and no words are no utterance', async () => {
    await using scene = await openNac3('<button disabled data-nac-id="shop.save">Save</button>');
    expect(await outcome(scene, 'NAC.invoke("shop.save", {})')).toEqual(code('disabled'));
    expect(await outcome(scene, 'NAC.invoke("shop.none", {})')).toEqual(code('not_found'));
    expect(await outcome(scene, 'NAC.utter("shop.save", { text: " " })')).toEqual(code('empty_payload'));
  });

  test('a bound action runs once for a request, and no more when it is unbound', async () => {
    await using scene = await openNac3(SAVE, {
      host: `window.runs = 0;
        window.unbind = NAC.bindAction(document.querySelector('button'), async () => { await null; window.runs += 1; return 'done'; });`,
    });
    const request = `document.dispatchEvent(new CustomEvent('nac:action:requested',
      { detail: { plugin: 'shop', action_id: 'shop.save', verb: 'save', payload: {}, request_id: 'r1' } }))`;
    expect(await outcome(scene, `(${request}, ${request}, NAC.click('shop.save'))`)).toMatchObject({ ok: true });
    expect(await outcome(scene, 'runs')).toBe(2);
    expect(await outcome(scene, '(unbind(), NAC.click("shop.save", { timeout: 200 }))')).toEqual(code('timeout'));
  });

  test('a bound action that throws is a failure with its code', async () => {
    await using scene = await openNac3(SAVE, {
      host: `NAC.bindAction(document.querySelector('button'), () => { throw Object.assign(new Error('no'), { code: 'closed' }); });`,
    });
    expect(await outcome(scene, 'NAC.invoke("shop.save", {})')).toMatchObject({
      ok: false,
      detail: { error: 'closed' },
    });
  });
});

describe('the rest', () => {
  test('an action that wants confirmation waits for it, and runs only if it is given', async () => {
    const body =
      '<button data-nac-id="shop.drop" data-nac-a11y-hint="irreversible|requires_confirmation" data-nac-confirmation-message="Sure?">Drop</button>';
    await using scene = await openNac3(body, {
      host: `NAC.bindAction(document.querySelector('button'), () => 'gone');`,
    });
    const withAnswer = (granted: boolean) =>
      `(NAC.set_confirm_handler(({ message }) => message === 'Sure?' && ${granted}), NAC.click('shop.drop'))`;
    expect(await outcome(scene, withAnswer(false))).toMatchObject({ ok: false, event: 'nac:action:confirm:denied' });
    expect(await outcome(scene, withAnswer(true))).toMatchObject({ ok: true });
  });

  test('wait_for gives the detail of the event, or times out', async () => {
    await using scene = await openNac3(SAVE);
    const heard = `(() => { const waits = NAC.wait_for('nac:x', 1000);
      document.dispatchEvent(new CustomEvent('nac:x', { detail: { a: 1 } })); return waits; })()`;
    expect(await outcome(scene, heard)).toEqual({ a: 1 });
    expect(await outcome(scene, 'NAC.wait_for("nac:y", 50)')).toEqual(code('timeout'));
  });

  test('go_to_section scrolls to it only', async () => {
    await using scene = await openNac3(
      `<div style="height: 3000px"></div><section data-nac-id="shop.end" data-nac-role="section">End</section>${SAVE}`,
    );
    expect(await outcome(scene, 'NAC.go_to_section("shop.end")')).toEqual({ ok: true });
    expect(await outcome(scene, 'scrollY > 0')).toBe(true);
    expect(await outcome(scene, 'NAC.go_to_section("shop.save")')).toEqual(code('section_not_found'));
  });

  test('snapshot_state has the values of all elements', async () => {
    await using scene = await openNac3('<input data-nac-id="shop.name" data-nac-role="field" value="Ada">');
    expect(await outcome(scene, 'NAC.snapshot_state()')).toEqual({
      shop: { 'shop.name': { value: 'Ada', state: null, visible: true, disabled: false } },
    });
  });

  test('a feature that this runtime lacks is reported as unsupported', async () => {
    await using scene = await openNac3(SAVE);
    expect(await outcome(scene, 'NAC.registerDataTable({})')).toEqual(code('feature_not_supported'));
  });

  test('a runtime that is already loaded stays', async () => {
    await using scene = await openScene({
      'http://a.test/':
        '<script>window.NAC = { version: "vendor" };</script><script type="module" src="/nac3/nac3.js"></script>',
      ...(await runtimePages()),
    });
    await scene.page.goto('http://a.test/');
    expect(await outcome(scene, 'NAC.version')).toBe('vendor');
  });
});

describe('validation', () => {
  const codes = (call: string) => `NAC.${call}.map(({ code }) => code)`;

  test('a correct page has no findings', async () => {
    await using scene = await openNac3(SAVE, { manifest: { elements: [{ id: 'shop.save', role: 'action' }] } });
    expect(await outcome(scene, 'NAC.validate("shop")')).toEqual([]);
    expect(await outcome(scene, 'NAC.validate_global({ probe: true })')).toEqual({
      ok: true,
      has_errors: false,
      duplicates: [],
      orphans: [],
      unmounted: [],
      convention_violations: [],
      duplicate_plugin_instances: [],
      findings: [],
    });
  });

  test.each([
    ['missing_in_dom', '', { elements: [{ id: 'shop.none', role: 'action' }] }],
    ['duplicate_verb', `${SAVE}<button data-nac-id="shop.b" data-nac-action="save">B</button>`, {}],
    [
      'duplicate_tab_label',
      '<b data-nac-id="tab.a" data-nac-role="tab">A</b><b data-nac-id="tab.b" data-nac-role="tab">A</b>',
      {},
    ],
    ['tab_role_drift', '<b data-nac-id="tab.a" data-nac-role="action">A</b>', {}],
    [
      'field_type_mismatch',
      '<input type="text" data-nac-id="shop.n" data-nac-role="field" data-nac-field-type="date">',
      {},
    ],
    [
      'aria_nac_state_mismatch',
      '<b aria-selected="true" data-nac-state="idle" data-nac-id="tab.a" data-nac-role="tab">A</b>',
      {},
    ],
    ['skip_without_reason', '<div data-nac-validate="skip"></div>', {}],
  ])('validate finds %s', async (expected, body, manifest) => {
    await using scene = await openNac3(body, { manifest });
    expect(await outcome(scene, codes('validate("shop")'))).toEqual([expected]);
  });

  test('validate_global finds duplicates, elements in no plugin, and plugins in no page', async () => {
    await using scene = await openScene({
      'http://a.test/': nac3Page(
        '<b data-nac-id="Lost">?</b><main data-nac-plugin="mall"><b data-nac-id="mall.a">A</b><b data-nac-id="mall.a">A</b></main>',
      ),
      ...(await runtimePages()),
    });
    await scene.page.goto('http://a.test/');
    expect(await outcome(scene, 'NAC.validate_global()')).toMatchObject({
      ok: false,
      has_errors: true,
      duplicates: ['mall.a'],
      orphans: ['Lost'],
      unmounted: ['shop'],
      convention_violations: ['Lost'],
    });
  });
});

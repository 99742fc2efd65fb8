import { expect, test } from 'vitest';
import { targetClass, TargetFacts } from '../../../src/task/target.ts';
import { element, openNac3On, shown } from './nac3-session.ts';
import { TABLE_CALLS, vendorPage } from './vendor-page.ts';

const URL = 'http://a.test/';
const TWINS = `<header data-nac-plugin="shop"><button data-nac-id="shop.save" hidden>Save</button></header>
  <main data-nac-plugin="shop"><button data-nac-id="shop.save">Save</button></main>`;

test('an id that occurs twice, once hidden, is the visible one', async () => {
  await using scene = await openNac3On({ [URL]: vendorPage(TWINS) });
  const reply = await scene.call('describe');
  expect(shown(reply).plugins.map(({ elements }) => elements.length)).toEqual([0, 1]);
  const click = await scene.call('click', { nac_id: 'shop.save' });
  expect(click).toMatchObject({ ok: true });
  expect(targetClass(TargetFacts.parse(click.target))).toBe('resolved');
});

test('an id that occurs twice in sight is refused', async () => {
  await using scene = await openNac3On({ [URL]: vendorPage(TWINS.replace(' hidden', '')) });
  await scene.call('describe');
  const click = await scene.call('click', { nac_id: 'shop.save' });
  expect(click).toMatchObject({ ok: false, text: expect.stringContaining('is 2 elements') });
  expect(targetClass(TargetFacts.parse(click.target))).toBe('ambiguous');
  expect(await scene.page.evaluate('done')).toEqual([]);
});

test('a list without described options takes its own values and labels only', async () => {
  const list = `<main data-nac-plugin="shop"><select data-nac-id="shop.pay" data-nac-role="field" aria-label="Pay">
    <option value="a">Cash</option><option value="b">Card</option></select></main>`;
  await using scene = await openNac3On({ [URL]: vendorPage(list) });
  expect(element(await scene.call('describe'), 'shop.pay').options).toBe(undefined);
  expect(element(await scene.call('select', { nac_id: 'shop.pay', value: 'Card' }), 'shop.pay').value).toBe('b');
  expect(element(await scene.call('select', { nac_id: 'shop.pay', value: 'a' }), 'shop.pay').value).toBe('a');
  const none = await scene.call('select', { nac_id: 'shop.pay', value: 'Cheque' });
  expect(none).toMatchObject({
    ok: false,
    text: expect.stringContaining('it has "a", "b"'),
    target: { dispatched: false },
  });
  expect(element(await scene.call('describe'), 'shop.pay').value).toBe('a');
});

const BOX = (attributes: string): string =>
  `<main data-nac-plugin="shop"><input type="checkbox" data-nac-id="shop.paid" data-nac-role="field" ${attributes} aria-label="Paid"></main>`;

test('a box filled with "false" is not checked, and one with neither yes nor no is refused', async () => {
  await using scene = await openNac3On({ [URL]: vendorPage(BOX('data-nac-field-type="checkbox" checked')) });
  await scene.call('describe');
  expect(element(await scene.call('fill', { nac_id: 'shop.paid', value: 'false' }), 'shop.paid').value).toBe(false);
  expect(element(await scene.call('fill', { nac_id: 'shop.paid', value: 'true' }), 'shop.paid').value).toBe(true);
  const neither = await scene.call('fill', { nac_id: 'shop.paid', value: 'perhaps' });
  expect(neither).toMatchObject({ ok: false, text: expect.stringContaining('true or false') });
});

test('a box that the runtime leaves unchanged is unsupported', async () => {
  await using scene = await openNac3On({ [URL]: vendorPage(BOX('')) });
  await scene.call('describe');
  const reply = await scene.call('fill', { nac_id: 'shop.paid', value: true });
  expect(reply).toMatchObject({ ok: false, text: expect.stringContaining('unsupported') });
  expect(await scene.call('fill', { nac_id: 'shop.paid', value: false })).toMatchObject({ ok: true });
});

const VERB = '<main data-nac-plugin="shop"><button data-nac-id="shop.add" data-nac-action="add">Add</button></main>';
const DECLARED = `NAC.manifests = [{ plugin_slug: 'shop', elements: [{ id: 'shop.add', role: 'action',
  actions: [{ verb: 'add', args_schema: { text: { type: 'string' } } }] }] }];`;

test('arguments that the runtime drops are unsupported, and those that reach a host are not', async () => {
  await using dropping = await openNac3On({ [URL]: vendorPage(VERB, { host: DECLARED }) });
  await dropping.call('describe');
  const dropped = await dropping.call('click_by_verb', { verb: 'add', args: { text: 'x' } });
  expect(dropped).toMatchObject({ ok: false, text: expect.stringMatching(/^unsupported: .*arguments/) });
  expect(await dropping.call('click_by_verb', { verb: 'add' })).toMatchObject({ ok: true });
  const nac = `click_by_verb: async (plugin, verb, args) => (say('nac:action:invoke_with_args', { plugin, verb, args }), { ok: true }),`;
  const host = `${DECLARED} document.addEventListener('nac:action:invoke_with_args', ({ detail }) => done.push(detail.args.text));`;
  await using passing = await openNac3On({ [URL]: vendorPage(VERB, { nac, host }) });
  await passing.call('describe');
  expect(await passing.call('click_by_verb', { verb: 'add', args: { text: 'x' } })).toMatchObject({ ok: true });
  expect(await passing.page.evaluate('done')).toEqual(['x']);
});

test('a call that the runtime lacks is unsupported', async () => {
  await using scene = await openNac3On({ [URL]: vendorPage(VERB) });
  await scene.call('describe');
  const reply = await scene.call('utter', { nac_id: 'shop.add', text: 'Hi' });
  expect(reply).toMatchObject({ ok: false, text: expect.stringMatching(/^unsupported/) });
});

const TAB = '<main data-nac-plugin="shop"><button data-nac-id="tab.lines" data-nac-role="tab">Lines</button></main>';

test.each(['nac:tab:activated', 'nac:tab:changed'])('%s reports an open tab', async (event) => {
  const host = `one('tab.lines').addEventListener('click', () => say('${event}', { plugin: 'shop', tab_id: 'tab.lines' }));`;
  await using scene = await openNac3On({ [URL]: vendorPage(TAB, { host }) });
  await scene.call('describe');
  expect(await scene.call('tab', { tab_key: 'lines' })).toMatchObject({ ok: true });
});

test('an event of another tab does not report this one', async () => {
  const host = `one('tab.lines').addEventListener('click', () => say('nac:tab:changed', { plugin: 'shop', tab_id: 'tab.terms' }));`;
  await using scene = await openNac3On({ [URL]: vendorPage(TAB, { host }) }, 500);
  await scene.call('describe');
  expect(await scene.call('tab', { tab_key: 'lines' })).toMatchObject({ ok: false });
});

const LIST = '<main data-nac-plugin="shop"><p data-nac-id="shop.list" data-nac-role="section">List</p></main>';

test('tables are shown, and their calls are tools, if the runtime has them', async () => {
  await using none = await openNac3On({ [URL]: vendorPage(LIST) });
  await none.call('describe');
  expect(none.session.tools.map(({ name }) => name).filter((name) => name.startsWith('dt_'))).toEqual([]);
  const made = await none.call('dt_add_row', { table_id: 'shop.lines', values: { text: 'Ink' } });
  expect(made).toMatchObject({ ok: false, text: expect.stringContaining('there is no tool') });
  await using scene = await openNac3On({ [URL]: vendorPage(LIST, { nac: TABLE_CALLS }) });
  const tables = shown(await scene.call('describe')).tables;
  expect(tables).toMatchObject([{ table_id: 'shop.lines', row_id: 'id', rows: [{ id: 'L1', text: 'Pen', price: 2 }] }]);
  const names = scene.session.tools.map(({ name }) => name).filter((name) => name.startsWith('dt_'));
  expect(names).toEqual(['dt_add_row', 'dt_remove_row']);
});

test('rows are added and removed, and the result is shown', async () => {
  await using scene = await openNac3On({ [URL]: vendorPage(LIST, { nac: TABLE_CALLS }) });
  await scene.call('describe');
  const added = await scene.call('dt_add_row', { table_id: 'shop.lines', values: { text: 'Ink', price: 3 } });
  expect(shown(added).tables?.[0]?.rows).toContainEqual({ id: 'L2', text: 'Ink', price: 3 });
  expect(targetClass(TargetFacts.parse(added.target))).toBe('resolved');
  const removed = await scene.call('dt_remove_row', { table_id: 'shop.lines', row_id: 'L1' });
  expect(shown(removed).tables?.[0]?.rows).toEqual([{ id: 'L2', text: 'Ink', price: 3 }]);
  const refused = await scene.call('dt_add_row', { table_id: 'shop.lines', values: { price: 3 } });
  expect(refused).toMatchObject({ ok: false, text: expect.stringContaining('required') });
});

test.each([
  ['phantom', 'dt_add_row', { table_id: 'shop.orders', values: {} }],
  ['phantom', 'dt_remove_row', { table_id: 'shop.lines', row_id: 'L9' }],
  ['invented_argument', 'dt_add_row', { table_id: 'shop.lines', values: { text: 'Ink', colour: 'red' } }],
  ['invented_argument', 'dt_edit_cell', { table_id: 'shop.lines', row_id: 'L1', column: 'text', value: 'x' }],
])('%s: %s %j', async (expected, tool, args) => {
  await using scene = await openNac3On({ [URL]: vendorPage(LIST, { nac: TABLE_CALLS }) });
  await scene.call('describe');
  const reply = await scene.call(tool, args);
  expect(reply.ok).toBe(false);
  expect(targetClass(TargetFacts.parse(reply.target))).toBe(expected);
  expect(await scene.page.evaluate(`NAC.tables['shop.lines'].rows.length`)).toBe(1);
});

test('a table whose owner is hidden is blocked', async () => {
  const hidden = LIST.replace('<p ', '<p hidden ');
  await using scene = await openNac3On({ [URL]: vendorPage(hidden, { nac: TABLE_CALLS }) });
  await scene.call('describe');
  const reply = await scene.call('dt_add_row', { table_id: 'shop.lines', values: { text: 'Ink' } });
  expect(targetClass(TargetFacts.parse(reply.target))).toBe('blocked');
});

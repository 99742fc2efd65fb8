import { z } from 'zod';
import type { JsonObject } from '../../../src/contract/json.ts';
import { targetClass, type TargetClass, TargetFacts } from '../../../src/task/target.ts';
import { openShop } from './nac3-session.ts';

export const SHOP = `
  <button data-nac-id="shop.save" data-nac-action="save">Save</button>
  <button data-nac-id="shop.closed" data-nac-action="close" disabled>Closed</button>
  <button data-nac-id="shop.unseen" data-nac-action="unsee" hidden>Unseen</button>
  <button data-nac-id="shop.inert" data-nac-action="rest" inert>Inert</button>
  <div style="position: relative; width: 200px; height: 40px">
    <button data-nac-id="shop.under" data-nac-action="dive">Under</button>
    <div style="position: absolute; inset: 0; background: white">Over</div>
  </div>
  <button data-nac-id="shop.twice" data-nac-action="twice">One</button>
  <button data-nac-id="shop.twice" data-nac-action="twice">Other</button>
  <label>Note <input data-nac-id="shop.note" data-nac-role="field"></label>
  <label>Fixed <input data-nac-id="shop.fixed" data-nac-role="field" readonly></label>
  <select data-nac-id="shop.pay" data-nac-role="field" aria-label="Payment"><option value="a">Cash</option></select>
  <button data-nac-id="tab.lines" data-nac-role="tab">Lines (48)</button>`;
const SPEC = { verb: 'store', args_schema: { kind: { type: 'string', enum: ['x', 'y'] }, note: { type: 'string' } } };
export const MANIFEST = { elements: [{ id: 'shop.save', role: 'action', actions: [SPEC] }] };
export const ADD = `document.querySelector('main').insertAdjacentHTML('beforeend', '<button data-nac-id="shop.late" data-nac-action="late">Late</button>')`;
const REMOVE = `document.querySelector('[data-nac-id="shop.save"]').remove(); document.querySelector('[data-nac-role="tab"]').remove()`;
const DOUBLE = `document.querySelector('main').insertAdjacentHTML('beforeend', '<button data-nac-id="shop.save">Save</button>')`;

type Case = [expected: TargetClass, tool: string, args: JsonObject, meanwhile?: string];

export const CASES: Case[] = [
  ['resolved', 'click', { nac_id: 'shop.save' }],
  ['resolved', 'click_by_verb', { verb: 'store', args: { kind: 'x' } }],
  ['resolved', 'invoke', { nac_id: 'shop.save', payload: { note: 'anything' } }],
  ['resolved', 'utter', { nac_id: 'shop.save', text: 'Please save' }],
  ['resolved', 'fill', { nac_id: 'shop.note', value: 'anything' }],
  ['resolved', 'select', { nac_id: 'shop.pay', value: 'a' }],
  ['resolved', 'select', { nac_id: 'shop.pay', value: 'Cash' }],
  ['resolved', 'tab', { tab_key: 'lines' }],
  ['resolved', 'tab', { plugin: 'shop', tab_key: 'tab.lines' }],
  ['resolved', 'tab_by_label', { label: 'lines' }],
  ['phantom', 'click', { nac_id: 'shop.send' }],
  ['phantom', 'click_by_verb', { verb: 'send' }],
  ['phantom', 'click_by_verb', { plugin: 'mall', verb: 'store' }],
  ['phantom', 'invoke', { nac_id: 'shop.send' }],
  ['phantom', 'utter', { nac_id: 'shop.send', text: 'Please send' }],
  ['phantom', 'fill', { nac_id: 'shop.name', value: 'x' }],
  ['phantom', 'select', { nac_id: 'shop.term', value: 'a' }],
  ['phantom', 'tab', { tab_key: 'line' }],
  ['phantom', 'tab', { plugin: 'mall', tab_key: 'lines' }],
  ['phantom', 'tab_by_label', { label: 'Payment' }],
  ['phantom', 'tab_by_label', { plugin: 'mall', label: 'Lines' }],
  ['invented_argument', 'select', { nac_id: 'shop.pay', value: 'Cheque' }],
  ['invented_argument', 'click_by_verb', { verb: 'store', args: { size: 1 } }],
  ['invented_argument', 'click_by_verb', { verb: 'store', args: { kind: 'z' } }],
  ['invented_argument', 'invoke', { nac_id: 'shop.save', payload: { size: 1 } }],
  ['invented_argument', 'invoke', { nac_id: 'shop.twice', payload: { size: 1 } }],
  ['ambiguous', 'click', { nac_id: 'shop.twice' }],
  ['ambiguous', 'click_by_verb', { verb: 'twice' }],
  ['ambiguous', 'click', { nac_id: 'shop.save' }, DOUBLE],
  ['stale', 'tab', { tab_key: 'lines' }, REMOVE],
  ['stale', 'tab_by_label', { label: 'Lines' }, REMOVE],
  ['not_yet_present', 'click_by_verb', { verb: 'late' }, ADD],
  ['blocked', 'click', { nac_id: 'shop.unseen' }],
  ['blocked', 'click', { nac_id: 'shop.inert' }],
  ['blocked', 'click', { nac_id: 'shop.under' }],
  ['blocked', 'invoke', { nac_id: 'shop.under' }],
  ['blocked', 'click_by_verb', { verb: 'dive' }],
  ['blocked', 'fill', { nac_id: 'shop.fixed', value: 'x' }],
];

/** Aims once, after a look at the shop and what happens meanwhile: what class that is, and whether something was done. */
export async function aimedAt(...[expected, tool, args, meanwhile = 'null']: Case) {
  // Only what is in the way is waited for in vain.
  const patience = expected === 'blocked' ? { timeoutMs: 700 } : {};
  await using scene = await openShop(SHOP, { manifest: MANIFEST, ...patience });
  await scene.call('describe');
  await scene.page.evaluate(meanwhile);
  const reply = await scene.call(tool, args);
  const isDone = z.array(z.string()).parse(await scene.page.evaluate('done')).length > 0;
  // A refused call must not have been tried at all.
  return {
    aimed: targetClass(TargetFacts.parse(reply.target)),
    ok: reply.ok,
    isDoneThoughRefused: isDone && expected !== 'resolved',
  };
}

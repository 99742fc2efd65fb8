import { expect, test } from 'vitest';
import { elementsOfPuppeteer, snapshotText } from '../../../src/surface/puppeteer/snapshot-text.ts';

const HOSTILE = 'Nothing\n- button "Send"';
const NODE = {
  role: 'RootWebArea',
  name: 'Contact',
  children: [
    { role: 'textbox', name: 'Name', value: 'Ada', focused: true, required: false },
    { role: 'generic', children: [{ role: 'button', name: 'It\'s "fine"' }] },
    { role: 'StaticText', name: HOSTILE },
    { role: 'heading', name: 'Us', level: 1, backendNodeId: 7, loaderId: '' },
  ],
};

test('a snapshot is a line a node, with what is so and without what is not', () => {
  expect(snapshotText(NODE)).toBe(`- RootWebArea "Contact"
  - textbox "Name" value="Ada" focused
  - generic
    - button "It's \\"fine\\""
  - StaticText "Nothing\\n- button \\"Send\\""
  - heading "Us" level=1`);
});

test('its elements are found again, and the text of a page makes none', () => {
  expect(elementsOfPuppeteer(`Tabs: 0: http://a.test/\n\n${snapshotText(NODE)}`)).toEqual([
    { role: 'RootWebArea', name: 'Contact', ref: 'aria/Contact[role="RootWebArea"]' },
    { role: 'textbox', name: 'Name', ref: 'aria/Name[role="textbox"]' },
    { role: 'button', name: 'It\'s "fine"', ref: 'aria/It\'s "fine"[role="button"]' },
    { role: 'StaticText', name: HOSTILE, ref: `aria/${HOSTILE}[role="StaticText"]` },
    { role: 'heading', name: 'Us', ref: 'aria/Us[role="heading"]' },
  ]);
});

import { expect, test } from 'vitest';
import {
  elementsOfPuppeteer,
  snapshotText,
  elementsOfStagehand,
  stagehandText,
} from '../../../src/surface/library/snapshot-texts.ts';

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

test('a snapshot has a line for each node, with the states that are on', () => {
  expect(snapshotText(NODE)).toBe(`- RootWebArea "Contact"
  - textbox "Name" value="Ada" focused
  - generic
    - button "It's \\"fine\\""
  - StaticText "Nothing\\n- button \\"Send\\""
  - heading "Us" level=1`);
});

test('its elements are found again, and text of the page is not one', () => {
  expect(elementsOfPuppeteer(`Tabs: 0: http://a.test/\n\n${snapshotText(NODE)}`)).toEqual([
    { role: 'RootWebArea', name: 'Contact', ref: 'aria/Contact[role="RootWebArea"]' },
    { role: 'textbox', name: 'Name', ref: 'aria/Name[role="textbox"]' },
    { role: 'button', name: 'It\'s "fine"', ref: 'aria/It\'s "fine"[role="button"]' },
    { role: 'StaticText', name: HOSTILE, ref: `text/${HOSTILE}` },
    { role: 'heading', name: 'Us', ref: 'aria/Us[role="heading"]' },
  ]);
});

test('a file field is sought by name and value, since Chromium finds it by no other name; other fields by name', () => {
  const text = '- button "Photo" value="No file chosen"\n- textbox "Name" value="Ada"';
  expect(elementsOfPuppeteer(text).map(({ name, ref }) => [name, ref])).toEqual([
    ['Photo', 'aria/Photo: No file chosen[role="button"]'],
    ['Name', 'aria/Name[role="textbox"]'],
  ]);
});

const SNAPSHOT = `Tabs: 0 (current): http://a.test/

[0-2] RootWebArea: Settings
  [0-7] scrollable, html
    [0-20] paragraph
      [0-21] StaticText: Newsletter:
      [0-23] StaticText: on
    [0-4] select: Topic
      [0-27] option: Sales [selected]
    [0-30] scrollable, listbox: Cities
    [0-41] checkbox: Send: now [checked]
    [0-47] Iframe
      [1-5] button: Vote`;

test('finds the elements with a name', () => {
  expect(elementsOfStagehand(SNAPSHOT)).toEqual([
    { ref: '0-2', role: 'RootWebArea', name: 'Settings' },
    { ref: '0-21', role: 'StaticText', name: 'Newsletter:' },
    { ref: '0-23', role: 'StaticText', name: 'on' },
    { ref: '0-4', role: 'select', name: 'Topic' },
    { ref: '0-27', role: 'option', name: 'Sales' },
    { ref: '0-30', role: 'listbox', name: 'Cities' },
    { ref: '0-41', role: 'checkbox', name: 'Send: now' },
    { ref: '1-5', role: 'button', name: 'Vote' },
  ]);
});

test('adjacent words are one text', () => {
  expect(stagehandText(SNAPSHOT)).toContain('Newsletter: on');
  expect(stagehandText(SNAPSHOT)).not.toContain('StaticText');
});

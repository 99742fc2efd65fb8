import { expect, test } from 'vitest';
import { elementsOfStagehand, stagehandText } from '../../../src/surface/stagehand/snapshot-text.ts';

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

test('the elements with a name are found, with roles as everybody calls them', () => {
  expect(elementsOfStagehand(SNAPSHOT)).toEqual([
    { ref: '0-2', role: 'RootWebArea', name: 'Settings' },
    { ref: '0-21', role: 'StaticText', name: 'Newsletter:' },
    { ref: '0-23', role: 'StaticText', name: 'on' },
    { ref: '0-4', role: 'combobox', name: 'Topic' },
    { ref: '0-27', role: 'option', name: 'Sales' },
    { ref: '0-30', role: 'listbox', name: 'Cities' },
    { ref: '0-41', role: 'checkbox', name: 'Send: now' },
    { ref: '1-5', role: 'button', name: 'Vote' },
  ]);
});

test('words that stand beside each other are one text', () => {
  expect(stagehandText(SNAPSHOT)).toContain('Newsletter: on');
  expect(stagehandText(SNAPSHOT)).not.toContain('StaticText');
});

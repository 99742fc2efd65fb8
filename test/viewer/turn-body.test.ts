import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requestLines } from '../../src/viewer/conversation.ts';
import { bundleLayout, type BundleLayout } from '../../src/bundle/layout.ts';
import { finishRow } from '../../src/bundle/row.ts';
import { lastCallsIn } from '../../src/viewer/standing.ts';
import { SAMPLE } from '../bundle/sample-row.ts';
import { drawnReport } from '../report/drawn-report.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { CALL, RESULT } from '../episode/sample-events.ts';

const BYTES = 'iVBORw0KGgo'.padEnd(400, 'A');

test('a picture in a request is shown as its size, and the text next to it unchanged', () => {
  const content = [
    { type: 'text', text: 'Page: http://a.test/\nTabs: 1' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: BYTES } },
  ];
  const lines = requestLines(
    JSON.stringify({ messages: [{ role: 'user', content: [{ type: 'tool_result', content }] }] }),
  );
  expect(lines).toEqual([
    '← tool_result',
    'Page: http://a.test/',
    'Tabs: 1',
    '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"[400 characters of Base64]"}}',
  ]);
});

test('so is one whose message holds its address', () => {
  const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${BYTES}` } }];
  expect(requestLines(JSON.stringify({ messages: [{ role: 'user', content }] }))).toEqual([
    '{"type":"image_url","image_url":{"url":"[422 characters of Base64]"}}',
  ]);
});

const LISTED = '- button "Send\u202e" [ref=e7]\n- textbox "Your name" [ref=e8]';
interface Called {
  tool: string;
  args: Record<string, string>;
}

/** The last calls in words of one episode, which was shown two elements and then made this call. */
async function saidOf(last: Called, edit: (layout: BundleLayout, events: string) => Promise<void> = async () => {}) {
  const row = finishRow({ ...SAMPLE, last_tool_call: last });
  const layout = bundleLayout(await temporaryFolder());
  const { events } = layout.attempt(row.episode_id, row.attempt);
  const all = [
    { ...CALL, step: 1, tool: 'snapshot', args: {} },
    { ...RESULT, step: 1, tool: 'snapshot', text: LISTED },
    { ...CALL, step: 2, ...last },
  ];
  await mkdir(path.dirname(events), { recursive: true });
  const lines = all.map((event, at) => `${JSON.stringify({ schema_version: 2, seq: at + 1, at_ms: 0, event })}\n`);
  await writeFile(events, lines.join(''));
  await edit(layout, events);
  return [...(await lastCallsIn(drawnReport(1, [row]), layout)).values()];
}

test.each([
  [{ tool: 'fill', args: { ref: 'e8', text: 'Ada' } }, 'fill textbox "Your name" Ada'],
  [{ tool: 'browser_click', args: { element: 'the button', target: 'e8' } }, 'browser_click textbox "Your name"'],
])('a last call names its element by role and name, as the record listed it: %j', async (call, words) => {
  expect(await saidOf(call)).toEqual([words]);
});

test('a name that reorders text is made visible', async () => {
  const [text] = await saidOf({ tool: 'click', args: { ref: 'e7' } });
  expect(text).toMatch(/^click button "Send[^\u202e]+"$/u);
});

test('a reference that was never listed, and a call without one, get no description', async () => {
  expect(await saidOf({ tool: 'click', args: { ref: 'e9' } })).toEqual([]);
  expect(await saidOf({ tool: 'wait', args: { text: 'e8' } })).toEqual([]);
});

test('a missing or invalid record gets no description', async () => {
  const call = { tool: 'click', args: { ref: 'e8' } };
  expect(await saidOf(call, (_, events) => rm(events))).toEqual([]);
  expect(await saidOf(call, (_, events) => writeFile(events, '{"seq":1}\n'))).toEqual([]);
});

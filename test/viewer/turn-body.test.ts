import { expect, test } from 'vitest';
import { requestLines } from '../../src/viewer/conversation.ts';

const BYTES = 'iVBORw0KGgo'.padEnd(400, 'A');

test('of a picture in a request only its size is shown, and the text beside it as it is', () => {
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

test('so it is where a message holds its address', () => {
  const content = [{ type: 'image_url', image_url: { url: `data:image/png;base64,${BYTES}` } }];
  expect(requestLines(JSON.stringify({ messages: [{ role: 'user', content }] }))).toEqual([
    '{"type":"image_url","image_url":{"url":"[422 characters of Base64]"}}',
  ]);
});

import path from 'node:path';
import { expect, test } from 'vitest';
import { openBlobs } from '../../src/bundle/blobs.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { AttemptRecorder } from '../../src/run/attempt-recorder.ts';
import { sha256Hex } from '../../src/contract/canonical.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const REPLY = {
  type: 'result',
  step: 1,
  tool: 'look',
  ok: true,
  kind: 'text',
  text_blob: null,
  tool_ms: 1,
  url: '',
} as const;

async function openRecorder(onEvent: (event: unknown) => void = () => {}) {
  const layout = bundleLayout(path.join(await temporaryFolder(), 'bundle'));
  const recorder = await AttemptRecorder.open({
    layout: layout.attempt('0'.repeat(32), 1),
    blobs: openBlobs(layout.blobs),
    onEvent,
    agent: 'a',
    date: '2026-01-01',
  });
  return recorder;
}

test('what is too long for a blob is an error when the record is closed, and does not end the process before', async () => {
  const recorder = await openRecorder();
  const text = 'x'.repeat(65 * 1024 * 1024);
  recorder.event({ ...REPLY, text, bytes: text.length });
  // Time for a rejection that nobody handles to be noticed.
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  await expect(recorder.close()).rejects.toMatchObject({ code: 'too_large' });
});

test('a long reply is in a blob whole, and in the events cut', async () => {
  const recorder = await openRecorder();
  const text = 'x'.repeat(100_000);
  recorder.event({ ...REPLY, text, bytes: text.length });
  await recorder.close();
  expect(Object.keys(recorder.artifacts)).toEqual(['reply_1']);
});

test('a picture is a blob, and the events only name it', async () => {
  const recorded: unknown[] = [];
  const recorder = await openRecorder((event) => recorded.push(event));
  const image = { media_type: 'image/png', base64: Buffer.from('a picture').toString('base64') } as const;
  recorder.event({ ...REPLY, text: '', bytes: 0, image });
  await recorder.close();
  expect(recorded).toEqual([{ ...REPLY, text: '', bytes: 0, image_blob: sha256Hex('a picture') }]);
  expect(recorder.artifacts).toEqual({ picture_1: sha256Hex('a picture') });
});

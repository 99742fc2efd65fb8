import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadEvidence } from '../../src/bundle/evidence-file.ts';
import { openBlobs } from '../../src/bundle/blobs.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { createRedactor } from '../../src/bundle/redact.ts';
import type { EpisodeEvent } from '../../src/episode/events.ts';
import { AttemptRecorder } from '../../src/run/attempt-recorder.ts';
import { sha256Hex } from '../../src/contract/canonical.ts';
import { present } from '../../src/contract/evidence.ts';
import { evidence } from '../contract/evidence-sample.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { NO_SECRETS } from '../bundle/no-secrets.ts';
import { RESULT } from '../episode/sample-events.ts';

async function openRecorder(onEvent: (event: EpisodeEvent) => void = () => {}, redactor = NO_SECRETS) {
  const layout = bundleLayout(path.join(await temporaryFolder(), 'bundle'));
  const recorder = await AttemptRecorder.open({
    layout: layout.attempt('0'.repeat(32), 1),
    blobs: openBlobs(layout.blobs),
    redactor,
    onEvent,
    agent: 'a',
    startedAt: new Date('2026-01-01'),
    begun: performance.now(),
  });
  return { recorder, folder: layout.root, blobFolder: layout.blobs };
}

async function openFilesIn(folder: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd');
  const files = await Promise.all(descriptors.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')));
  return files.filter((file) => file.startsWith(folder));
}

test('a value too long for a blob keeps its beginning, in whole characters', async () => {
  const heard: EpisodeEvent[] = [];
  const { recorder, blobFolder } = await openRecorder((event) => {
    heard.push(event);
  });
  const text = `x${'é'.repeat(33 * 1024 * 1024)}`;
  recorder.event({ ...RESULT, text, bytes: text.length });
  await recorder.close();
  const [event] = heard;
  const blob = event?.type === 'result' ? event.text_blob : null;
  const kept = (await openBlobs(blobFolder).get(blob ?? '')).toString('utf8');
  expect(kept.length).toBe(32 * 1024 * 1024);
  expect(text.startsWith(kept)).toBe(true);
});

test('a record that cannot be written is an error when it is closed, and does not end the process before', async () => {
  const { recorder, blobFolder } = await openRecorder();
  await writeFile(blobFolder, 'a file in the place of the folder');
  const text = 'x'.repeat(100_000);
  recorder.event({ ...RESULT, text, bytes: text.length });
  // Time for an unhandled rejection to be noticed.
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  await expect(recorder.close()).rejects.toMatchObject({ syscall: 'mkdir' });
});

test('a record that could not be written can still be closed', async () => {
  const { recorder, folder, blobFolder } = await openRecorder();
  await writeFile(blobFolder, 'a file in the place of the folder');
  const text = 'x'.repeat(100_000);
  recorder.event({ ...RESULT, text, bytes: text.length });
  expect(await openFilesIn(folder)).toHaveLength(2);
  await expect(recorder.close()).rejects.toMatchObject({ syscall: 'mkdir' });
  expect(await openFilesIn(folder)).toEqual([]);
});

test('evidence too long for a blob is an error of its moment, not of the whole campaign', async () => {
  const { recorder } = await openRecorder();
  const much = evidence({ app_state: present({ start: null, now: 'x'.repeat(65 * 1024 * 1024) }) });
  expect(() => {
    recorder.evidence('end', much);
  }).toThrow(/has \d+ bytes/);
  await recorder.close();
});

test('evidence is on disk when the record is closed, and an error when it could not be written', async () => {
  const { recorder, blobFolder } = await openRecorder();
  recorder.evidence('start', evidence());
  await recorder.close();
  const { evidence_start: name = '' } = recorder.recorded.artifacts;
  expect(await loadEvidence(openBlobs(blobFolder), name)).toEqual(evidence());

  const other = await openRecorder();
  await writeFile(other.blobFolder, 'a file where the folder should be');
  other.recorder.evidence('start', evidence());
  await expect(other.recorder.close()).rejects.toThrow('EEXIST');
});

test('a long reply is whole in a blob, and cut in the events', async () => {
  const { recorder } = await openRecorder();
  const text = 'x'.repeat(100_000);
  recorder.event({ ...RESULT, text, bytes: text.length });
  await recorder.close();
  expect(Object.keys(recorder.recorded.artifacts)).toEqual(['reply_1']);
});

test('a picture is a blob, and the events only name it', async () => {
  const recorded: unknown[] = [];
  const { recorder } = await openRecorder((event) => recorded.push(event));
  const image = { media_type: 'image/png', base64: Buffer.from('a picture').toString('base64') } as const;
  recorder.event({ ...RESULT, text: '', bytes: 0, image });
  await recorder.close();
  expect(recorded).toEqual([{ ...RESULT, text: '', bytes: 0, image_blob: sha256Hex('a picture') }]);
  expect(recorder.recorded.artifacts).toEqual({ picture_1: sha256Hex('a picture') });
});

const WORD = 'tulip-Harbour-4417';
/** Events as a careless caller would write them, with a secret in each thing that comes from outside. */
const CARELESS: readonly EpisodeEvent[] = [
  { type: 'call', step: 1, tool: `type ${WORD}`, args: { [WORD]: `a${WORD}b` }, args_blob: null },
  { ...RESULT, text: `${'x'.repeat(100_000)} ${WORD}`, bytes: 1 },
  { type: 'turn', turn: 1, request: JSON.stringify({ say: WORD }), request_blob: null },
  { type: 'turn_retried', turn: 1, why: WORD, wait_ms: 1 },
  { type: 'printed', text: `it printed ${encodeURIComponent(WORD)}`, bytes: 1 },
  { type: 'reported_step', step: 1, tool: WORD, args: { text: WORD }, ok: true, text: WORD, url: WORD },
  { type: 'trace', blob: null, why: WORD },
  { type: 'stop', stop: 'done', detail: WORD, answer: { value: WORD } },
];

/** Record each event alone, and return the types of those whose secret is in a file or reaches a listener. */
async function typesThatLeak(redactor = NO_SECRETS): Promise<string[]> {
  const leaking: string[] = [];
  for (const event of CARELESS) {
    const heard: unknown[] = [];
    const { recorder, folder, blobFolder } = await openRecorder((each) => heard.push(each), redactor);
    recorder.event(event);
    await recorder.close();
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
    const plain = await Promise.all(files.map((file) => readFile(path.join(file.parentPath, file.name))));
    const blobs = await Promise.all(
      Object.values(recorder.recorded.artifacts).map((hash) => openBlobs(blobFolder).get(hash)),
    );
    const texts = [...plain, ...blobs].map((each) => each.toString('utf8'));
    if ([JSON.stringify(heard), ...texts].some((text) => text.includes(WORD))) leaking.push(event.type);
  }
  return leaking;
}

test('the recorder replaces secrets in every event itself, even if its caller forgot', async () => {
  expect(await typesThatLeak(createRedactor([{ name: 'WORD', value: WORD }]))).toEqual([]);
});

test('a recorder without secrets lets each of them through', async () => {
  expect(await typesThatLeak()).toEqual(CARELESS.map(({ type }) => type));
});

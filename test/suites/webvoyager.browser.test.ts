import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashJson } from '../../src/contract/canonical.ts';
import { touchstone } from '../cli/touchstone.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../suites/webvoyager');

test('another route through the same archive is judged too, and misses nothing', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const tasks = ['task-05-w3c-html-section-definition', 'task-09-wikipedia-speed-of-light'].join(',');
  const ran = await touchstone('run', FOLDER, '--task', tasks, '--agent', 'keyword,reference', '--out', bundle);
  expect(ran.out).toMatch(/^keyword\/aria .* 1 of 2 /m);
  expect(ran.out).toMatch(/^reference\/aria .* 2 of 2 /m);
  const urls = (await rowsOf(bundle)).map((row) => [row.agent, row.task.slice(0, 7), row.final_url, row.off_archive]);
  const among = (agent: string) => urls.filter(([each]) => each === agent);
  expect(['keyword', 'reference'].flatMap(among)).toEqual([
    ['keyword', 'task-05', 'https://html.spec.whatwg.org/multipage/sections.html#sections', 0],
    ['keyword', 'task-09', 'https://en.wikipedia.org/wiki/Metre', 0],
    ['reference', 'task-05', expect.stringContaining('https://html.spec.whatwg.org/multipage/sections.html'), 0],
    ['reference', 'task-09', 'https://en.wikipedia.org/wiki/Speed_of_light', 0],
  ]);
});

describe('a transcript led to https://wrong.example/, with matching digests', () => {
  test.each([
    ['and without page states is judged: failed', [], 'failed'],
    ['and with the page states of before drifts', ['page_state_sha256'], 'replay_drift'],
  ])('%s', async (_, kept, status) => {
    const folder = await temporaryFolder();
    const suite = path.join(folder, 'webvoyager');
    await cp(FOLDER, suite, { recursive: true });
    await lead(path.join(suite, 'transcripts/task-01-example-com-title.aria.jsonl'), kept);
    const bundle = path.join(folder, 'bundle');
    const args = ['--task', 'task-01-example-com-title', '--agent', 'transcript', '--out', bundle];
    expect(await touchstone('run', suite, ...args)).toMatchObject({ exit: 1 });
    expect((await reportOf(bundle)).episodes).toMatchObject([
      { status, failed_contract: { path: 'success.children.0', kind: 'url' } },
    ]);
    const [row] = await rowsOf(bundle);
    // The page and its icon: requests in no archive are counted.
    expect(row.off_archive).toBe(2);
  });
});

async function lead(file: string, kept: readonly string[]): Promise<void> {
  const text = await readFile(file, 'utf8');
  const url = 'https://wrong.example/';
  const lines = text.trim().split('\n');
  const led = lines.map((line) => {
    const { page_state_sha256: pageState, ...entry } = JSON.parse(line);
    const state = kept.includes('page_state_sha256') && pageState !== undefined ? { page_state_sha256: pageState } : {};
    if (entry.tool !== 'navigate') return JSON.stringify({ ...entry, ...state });
    return JSON.stringify({ ...entry, ...state, args: { url }, args_digest_sha256: hashJson({ url }) });
  });
  await writeFile(file, `${led.join('\n')}\n`);
}

async function rowsOf(bundle: string) {
  const lines = (await readFile(path.join(bundle, 'rows.jsonl'), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

async function reportOf(bundle: string) {
  return JSON.parse(await readFile(path.join(bundle, 'report.json'), 'utf8'));
}

import { readdir, readFile, symlink, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashJson } from '../../src/contract/canonical.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { editTranscript, recordedSuite, transcriptIn, writeSmallSuite } from './recorded-suite.ts';
import { touchstone } from './touchstone.ts';

type Line = Record<string, unknown>;

async function replay(suite: string, ...options: string[]) {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const ran = await touchstone('run', suite, '--agent', 'transcript', '--out', bundle, ...options);
  const report = JSON.parse(await readFile(path.join(bundle, 'report.json'), 'utf8'));
  return { ...ran, bundle, episodes: report.episodes };
}

async function replayedAfter(edit: (lines: Line[]) => unknown[]) {
  const suite = await recordedSuite();
  await editTranscript(transcriptIn(suite), edit);
  const { episodes, exit } = await replay(suite, '--task', 'open-first');
  return { ...episodes[0], exit };
}

const WRONG = { url: 'https://example.com/more.html' };

function wrongDestination(lines: Line[]): Line[] {
  return lines.map((line) =>
    line['tool'] === 'navigate' ? { ...line, args: WRONG, args_digest_sha256: hashJson(WRONG) } : line,
  );
}

function without(lines: Line[], ...fields: string[]): Line[] {
  return lines.map((line) => Object.fromEntries(Object.entries(line).filter(([field]) => !fields.includes(field))));
}

function withCall(lines: Line[], change: Line): Line[] {
  return lines.map((line, index) => (index === 1 ? { ...line, ...change } : line));
}

describe('a replay ends as replay_drift and names step, expected and actual, when', () => {
  test.each<[string, (lines: Line[]) => unknown[], RegExp]>([
    [
      'arguments were edited and their digest not',
      (lines) => withCall(lines, { args: WRONG }),
      /at step 1 args with digest \w{64}, but the digest of its args is \w{64}/,
    ],
    [
      'the tool is gone',
      (lines) => withCall(lines, { tool: 'teleport' }),
      /at step 1 a tool teleport, but the surface has none/,
    ],
    [
      'the schema of the tool is another',
      (lines) => withCall(lines, { tool_schema_sha256: 'f'.repeat(64) }),
      /at step 1 arguments of navigate with a schema of digest f{64}, but the digest of its schema is \w{64}/,
    ],
    [
      'the reply is of another kind',
      (lines) => withCall(lines, { response_kind: 'dialog' }),
      /at step 1 a reply of kind dialog to navigate, but it was of kind snapshot/,
    ],
    [
      'the browser shows something else',
      wrongDestination,
      /at step 1 page state \w{64} after navigate, but it is \w{64}: https:\/\/example\.com\/more\.html/,
    ],
    ['a call is missing', (lines) => lines.toSpliced(2, 1), /at step 2 2 calls, .* holds 1: calls are missing/],
    [
      'a call is left over',
      (lines) => [...lines.slice(0, 3), ...lines.slice(2)],
      /at step 3 2 calls, .* holds 3: calls are left over/,
    ],
    ['its end is missing', (lines) => lines.slice(0, -1), /at step 3 a line "done", but the transcript has none/],
  ])('%s', async (_, edit, detail) => {
    expect(await replayedAfter(edit)).toMatchObject({
      status: 'replay_drift',
      exit: 1,
      detail: expect.stringMatching(detail),
    });
  });
});

test('the unchanged transcript passes', async () => {
  expect(await replayedAfter((lines) => lines)).toMatchObject({ status: 'passed', exit: 0 });
});

test('and so does one from before there were counts, schemas and page states', async () => {
  const old = await replayedAfter((lines) => without(lines, 'calls', 'tool_schema_sha256', 'page_state_sha256'));
  expect(old).toMatchObject({ status: 'passed', exit: 0 });
});

test('a wrong destination with fitting digests and no page states is failed, naming the url assertion', async () => {
  const strayed = await replayedAfter((lines) => without(wrongDestination(lines), 'page_state_sha256'));
  expect(strayed).toMatchObject({
    status: 'failed',
    exit: 1,
    failed_contract: { path: 'success.children.0', kind: 'url', observed: { preview: WRONG.url } },
  });
});

test('transcripts are shown, and written with --accept only', async () => {
  const folder = await temporaryFolder();
  const suite = await writeSmallSuite(folder);
  const bundle = path.join(folder, 'bundle');
  await touchstone('run', suite, '--out', bundle);
  const shown = await touchstone('transcripts', bundle, suite);
  expect(shown).toMatchObject({ exit: 1, err: '' });
  expect(shown.out).toMatch(
    /open-first\.aria\.jsonl: new\n {2}\+ 1 navigate \{"url":"https:\/\/example\.com\/index\.html"\}/,
  );
  expect(shown.out).toContain('2 of 2 transcripts would change; --accept writes what is shown');
  expect(await readdir(suite)).not.toContain('transcripts');
  expect(await touchstone('transcripts', bundle, suite, '--accept')).toMatchObject({ exit: 0 });
  expect((await readFile(transcriptIn(suite), 'utf8')).split('\n')[0]).toMatch(
    /"provenance":\{"recorded":\{"agent":"reference","date":"[\d-]+"\}\},"calls":2/,
  );
  const again = await touchstone('transcripts', bundle, suite);
  expect(again).toMatchObject({ exit: 0, out: expect.stringContaining('2 transcripts, no difference') });
});

test('nothing is written if a suite has only a link to its transcripts', async () => {
  const folder = await temporaryFolder();
  const outside = await temporaryFolder();
  const suite = await writeSmallSuite(folder);
  const bundle = path.join(folder, 'bundle');
  await touchstone('run', suite, '--out', bundle);
  await symlink(outside, path.join(suite, 'transcripts'));
  const refused = await touchstone('transcripts', bundle, suite, '--accept');
  expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining("leaves the suite's folder through a link") });
  expect(await readdir(outside)).toEqual([]);
});

test('recording a replay keeps the provenance of the first recording', async () => {
  const suite = await recordedSuite();
  await editTranscript(transcriptIn(suite), (lines) => [
    { ...lines[0], provenance: 'authored', calls: undefined },
    ...lines.slice(1),
  ]);
  const { bundle } = await replay(suite);
  const accepted = await touchstone('transcripts', bundle, suite, '--agent', 'transcript', '--accept');
  expect(accepted.out).toContain('open-first.aria.jsonl: differs\n  + calls 2\n');
  expect((await readFile(transcriptIn(suite), 'utf8')).split('\n')[0]).toContain('"provenance":"authored","calls":2');
});

test('a bundle in which the agent has passed nothing is refused with the choices', async () => {
  const { bundle } = await replay(await recordedSuite());
  const refused = await touchstone('transcripts', bundle, await recordedSuite(), '--agent', 'keyword');
  expect(refused).toMatchObject({ exit: 2, err: expect.stringContaining('--agent transcript --surface aria') });
});

describe('a baseline', () => {
  const baselineOf = (suite: string) => ['--baseline', path.join(suite, 'baseline.json')];

  test('is met by its own transcripts', async () => {
    const suite = await recordedSuite();
    const ran = await replay(suite, ...baselineOf(suite));
    expect(ran).toMatchObject({ exit: 0, out: expect.stringContaining('baseline       2 passed, 2 expected') });
  });

  test('is not met by a mutated transcript: the task and the clause of its contract are named', async () => {
    const suite = await recordedSuite();
    await editTranscript(transcriptIn(suite), (lines) => without(wrongDestination(lines), 'page_state_sha256'));
    const ran = await replay(suite, ...baselineOf(suite));
    expect(ran.exit).toBe(1);
    expect(ran.out).toMatch(
      / {2}open-first: failed, not passed; success\.children\[0\] \(url\): expected .*index\.html/,
    );
    expect(ran.out).toMatch(/gates +not met: .*; 1 task of the baseline\n/);
  });

  test('is not met by another transcript, though it passes', async () => {
    const suite = await recordedSuite();
    await editTranscript(transcriptIn(suite), (lines) => without(lines, 'page_state_sha256'));
    const ran = await replay(suite, ...baselineOf(suite));
    expect(ran).toMatchObject({ exit: 1, episodes: [{ status: 'passed' }, { status: 'passed' }] });
    expect(ran.out).toMatch(/ {2}open-first: its transcript is not that of the baseline \(\w{12}, now \w{12}\)/);
  });

  test('is not met under a weaker contract, though that passes', async () => {
    const suite = await recordedSuite();
    const file = path.join(suite, 'tasks/a.yaml');
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace(', { kind: dom_count, selector: h1, op: eq, value: 1 }', ''),
    );
    const ran = await replay(suite, ...baselineOf(suite));
    expect(ran).toMatchObject({ exit: 1, episodes: [{ status: 'passed' }, { status: 'passed' }] });
    expect(ran.out).toMatch(/ {2}open-first: its contract is not that of the baseline \(\w{12}, now \w{12}\)/);
  });

  test('is not met by a part of the suite', async () => {
    const suite = await recordedSuite();
    const ran = await replay(suite, ...baselineOf(suite), '--task', 'open-first');
    expect(ran).toMatchObject({ exit: 1, episodes: [{ status: 'passed' }] });
    expect(ran.out).toContain('  open-more: it was not run (--task): a part of the suite is not the whole gate');
  });

  test('is not met when a task is renamed', async () => {
    const suite = await recordedSuite();
    const file = path.join(suite, 'tasks/b.yaml');
    await writeFile(file, (await readFile(file, 'utf8')).replace('id: open-more', 'id: open-other'));
    const ran = await replay(suite, ...baselineOf(suite));
    expect(ran).toMatchObject({ exit: 1 });
    expect(ran.out).toContain('  open-more: the suite no longer has a task with this id; it is missing or was renamed');
  });

  test('is not met when a transcript is missing, and the cell skipped', async () => {
    const suite = await recordedSuite();
    await rm(transcriptIn(suite, 'open-more'));
    const ran = await replay(suite, ...baselineOf(suite));
    expect(ran).toMatchObject({ exit: 1 });
    expect(ran.out).toContain('  open-more: not_applicable, not passed: not applicable: there is no transcript');
  });

  test('is refused for an entrant that does not run before anything runs', async () => {
    const suite = await recordedSuite();
    const refused = await touchstone('run', suite, ...baselineOf(suite));
    expect(refused).toMatchObject({
      exit: 2,
      err: expect.stringContaining('is for transcript/aria on small, which is not in this run'),
    });
  });
});

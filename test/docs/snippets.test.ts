import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseTranscript } from '../../src/agent/transcript.ts';
import { hashJson } from '../../src/contract/canonical.ts';
import { validateContract } from '../../src/contract/validation/validate.ts';
import { readOverlay } from '../../src/dataset/overlay.ts';
import { FaultProfile } from '../../src/fault/schema.ts';
import { Server } from '../../src/surface/mcp/server-file.ts';
import { Suite } from '../../src/task/suite.ts';
import { expandInstances } from '../../src/task/expand-instances.ts';
import { validateTask } from '../../src/task/validate.ts';
import { folderOf } from '../suite-files.ts';
import { type Block, blocksOf, pages } from './pages.ts';

const blocks = pages().flatMap(blocksOf);
const marked = (language: string, mark: string): Block[] =>
  blocks.filter((block) => block.language === language && block.marks.includes(mark));

it('every block of TypeScript and JSON lines has a mark that decides its check', () => {
  const unchecked = blocks.filter(({ language, marks }) => ['ts', 'jsonl'].includes(language) && marks.length === 0);
  expect(unchecked.map(({ place }) => place)).toEqual([]);
});

it.each(blocks.filter(({ language, marks }) => language === 'yaml' && marks.length === 0))(
  '$place is an excerpt of a task, and its contracts are contracts',
  ({ text }) => {
    const { success, guards } = z.looseObject({ success: z.unknown(), guards: z.unknown() }).parse(parse(text));
    expect(validateContract(success)).toMatchObject({ ok: true });
    expect(guards === undefined || validateContract(guards).ok).toBe(true);
  },
);

it.each(marked('yaml', 'task'))('$place is a task', ({ text }) => {
  const expanded = expandInstances(parse(text));
  const tasks = expanded.ok ? expanded.value.map(({ value }) => validateTask(value)) : [expanded];
  expect(tasks.filter(({ ok }) => !ok)).toEqual([]);
});

it.each(marked('yaml', 'contract'))('$place is a contract', ({ text }) => {
  expect(validateContract(parse(text))).toMatchObject({ ok: true });
});

it.each(marked('yaml', 'profile'))('$place is a profile of faults', ({ text }) => {
  expect(FaultProfile.safeParse(parse(text))).toMatchObject({ success: true });
});

it.each(marked('yaml', 'suite'))('$place is a suite', ({ text }) => {
  expect(Suite.safeParse(parse(text))).toMatchObject({ success: true });
});

it.each(marked('yaml', 'overlay'))('$place makes tasks of rows', async ({ text }) => {
  const folder = await folderOf({ 'overlay.yaml': text, 'recipes/app.ts': '' });
  const ids = Object.keys(z.looseObject({ tasks: z.record(z.string(), z.unknown()) }).parse(parse(text)).tasks);
  const rows = ids.map((id) => ({
    id,
    goal: id,
    start_urls: [],
    standing: 'judged by a model upstream' as const,
    upstream: {},
  }));
  expect(await readOverlay(path.join(folder, 'overlay.yaml'), 'webvoyager', rows)).toMatchObject({ rows: ids });
});

it.each(marked('yaml', 'server'))('$place is the file of a tool server', ({ text }) => {
  expect(Server.safeParse(parse(text))).toMatchObject({ success: true });
});

it.each(marked('jsonl', 'transcript'))('$place is a transcript whose digests are right', ({ text, place }) => {
  const { entries } = parseTranscript(text, place);
  expect(entries.length).toBeGreaterThan(0);
  for (const { args, args_digest_sha256: digest } of entries) expect(digest).toBe(hashJson(args));
});

it('an unclosed block is an error', () => {
  expect(() => blocksOf({ name: 'page.md', text: 'a\n```sh\nls\n' })).toThrow(
    'page.md:2: the code block is not closed',
  );
});

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { readSealedRows } from '../../src/bundle/sealed-rows.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

/** Halves of characters, whole ones where things are cut, and more than is taken. */
const AGENTS = {
  'half-a-model': String.raw`console.log('{"type":"usage","input_tokens":1,"output_tokens":1,"model":"\\ud83d"}\n{"type":"done"}');`,
  'last-words': `console.error('a' + '😀'.repeat(400) + 'b'); process.exitCode = 1;`,
  'long-reason': `console.log(JSON.stringify({ type: 'give_up', reason: 'x'.repeat(998) + '😀'.repeat(5) }));`,
  'odd-line': `console.log(JSON.stringify({ type: 'step', tool: '', text: 'a' + '😀'.repeat(200) }));`,
  'long-answer': `console.log(JSON.stringify({ type: 'answer', value: 'x'.repeat(70000) }) + '\\n{"type":"done"}');`,
};

async function rowsOf(bundle: string) {
  expect(await touchstone('verify', bundle)).toMatchObject({ exit: 0, out: expect.stringContaining('holds') });
  return (await readSealedRows(bundleLayout(bundle))).map(({ row }) => row);
}

test('odd output of an agent leaves a bundle that verifies, and a row with the reason it ended', async () => {
  const folder = await temporaryFolder();
  const files = Object.entries(AGENTS).map(([name, code]) => ({ file: path.join(folder, `${name}.mjs`), code }));
  for (const { file, code } of files) await writeFile(file, code);
  const agents = files.map(({ file }) => file).join(',');
  const bundle = path.join(folder, 'bundle');
  await touchstone('run', 'basics', '--task', 'example-h1', '--agent', agents, '--out', bundle);
  const ends = (await rowsOf(bundle)).map(({ agent, status, detail }) => [agent, status, detail]);
  expect(Object.fromEntries(ends.map(([agent, ...end]) => [agent, end]))).toEqual({
    'half-a-model': [expect.stringMatching(/failed|agent_error/), expect.anything()],
    'last-words': ['agent_error', expect.stringContaining('it ended with exit code 1; it printed: ')],
    'long-reason': ['gave_up', `${'x'.repeat(998)}\uFFFD…`],
    'odd-line': ['agent_error', expect.stringContaining('is malformed: tool')],
    'long-answer': ['agent_error', expect.stringContaining('is longer than 65536 characters')],
  });
});

test('odd words of a tool server neither void a bundle nor lose a call', async () => {
  const bundle = path.join(await temporaryFolder(), 'bundle');
  const surface = 'test/surface/mcp/fixtures/odd-words.yaml';
  await touchstone('run', 'basics', '--task', 'dialog-delete', '--surface', surface, '--out', bundle);
  const [row] = await rowsOf(bundle);
  expect(row).toMatchObject({ surface_version: 'odd 1\uFFFD', last_tool_call: { tool: 'look' } });
  expect(row?.steps).toBeGreaterThan(0);
  expect(await readFile(path.join(bundle, 'rows.jsonl'), 'utf8')).not.toContain('the surface broke');
});

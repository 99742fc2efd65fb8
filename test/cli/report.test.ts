import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { committedBundle, copyOf } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const TOOL_SERVERS = await committedBundle('tool-servers');
const WEBVOYAGER = await committedBundle('webvoyager');

describe('report', () => {
  it('redraws the reports of one bundle unchanged', async () => {
    const { root: bundle } = await copyOf(WEBVOYAGER);
    const { exit } = await touchstone('report', bundle);
    expect(exit).toBe(0);
    for (const name of await readdir(WEBVOYAGER)) {
      if (!name.startsWith('report.')) continue;
      expect(await readFile(path.join(bundle, name), 'utf8')).toBe(await readFile(path.join(WEBVOYAGER, name), 'utf8'));
    }
  });

  it('prints one table over several bundles, and what their episodes can show', async () => {
    const { exit, out } = await touchstone('report', TOOL_SERVERS, WEBVOYAGER);
    expect(exit).toBe(0);
    expect(out).toContain('Smallest difference of success rates that these episodes can show: none.');
    expect(out).toContain('| reference through playwright-mcp | 8 of 8 (67.6 to 100.0 %) |');
    expect(out).toContain('– in shortcuts: `');
  });

  it('with --to writes Markdown and JSON there, and nothing into a bundle', async () => {
    const folder = await temporaryFolder();
    const { out } = await touchstone('report', TOOL_SERVERS, WEBVOYAGER, '--to', path.join(folder, 'deep/tables'));
    expect(await readdir(path.join(folder, 'deep/tables'))).toEqual(['tables.json', 'tables.md']);
    expect(out).toContain('tables.md');
    const tables = JSON.parse(await readFile(path.join(folder, 'deep/tables/tables.json'), 'utf8'));
    expect(tables).toMatchObject({ barred: [], parts: [{ bundles: [TOOL_SERVERS, WEBVOYAGER] }] });
  });

  it.each([
    ['the day on which it was run', (begun: string) => begun.slice(0, 10), 12],
    ['its hour', (begun: string) => begun.slice(0, 13), 12],
    ['the moment at which it began', (begun: string) => begun.replace('Z', '+00:00'), 12],
    ['the day after', (begun: string) => new Date(Date.parse(begun) + 86_400_000).toISOString().slice(0, 10), 0],
  ])('--since %s leaves out the episodes that began before', async (_, since, episodes) => {
    const lines = (await readFile(path.join(WEBVOYAGER, 'rows.jsonl'), 'utf8')).trim().split('\n');
    const [begun = ''] = lines.map((line) => String(JSON.parse(line).started_at)).toSorted();
    const { out } = await touchstone('report', WEBVOYAGER, '--since', since(begun), '--json');
    expect(JSON.parse(out)).toMatchObject({ bundles: [{ planned: 12, episodes }] });
  });

  it('refuses an invalid time with a valid example', async () => {
    const { exit, err } = await touchstone('report', WEBVOYAGER, '--since', 'yesterday');
    expect(exit).toBe(2);
    expect(err).toContain('--since <time> must be like 2026-05-19T23:00:00Z');
  });

  it('refuses to count an episode twice, and names it', async () => {
    const copy = path.join(await temporaryFolder(), 'copy');
    await cp(WEBVOYAGER, copy, { recursive: true });
    const { exit, err } = await touchstone('report', WEBVOYAGER, copy);
    expect(exit).toBe(2);
    expect(err).toMatch(/episode [0-9a-f]{32} \(.+ #1 by .+ through .+\) is in both /);
    expect(err).toContain(`is in both ${WEBVOYAGER} and ${copy}`);
  });

  it('draws nothing if JUnit cannot be written', async () => {
    const folder = await temporaryFolder();
    const bundle = path.join(folder, 'bundle');
    await cp(WEBVOYAGER, bundle, { recursive: true });
    await writeFile(path.join(bundle, 'report.md'), 'older');
    await mkdir(path.join(folder, 'a.xml'));
    const { exit, err } = await touchstone('report', bundle, '--junit', path.join(folder, 'a.xml'));
    expect([exit, err]).toEqual([2, expect.stringContaining('a.xml cannot be written (a folder is in its place)')]);
    expect(await readFile(path.join(bundle, 'report.md'), 'utf8')).toBe('older');
    expect(await touchstone('report', bundle, '--junit', path.join(folder, 'new/a.xml'))).toMatchObject({ exit: 0 });
  });

  it('with --junit writes the episodes of one bundle as JUnit, and of one only', async () => {
    const folder = await temporaryFolder();
    const [bundle, file] = [path.join(folder, 'bundle'), path.join(folder, 'junit.xml')];
    await cp(TOOL_SERVERS, bundle, { recursive: true });
    expect(await touchstone('report', bundle, '--junit', file)).toMatchObject({ exit: 0 });
    expect(await readFile(file, 'utf8')).toMatch(
      /<testsuites name="[^"]+" tests="24" failures="1" errors="0" skipped="0"/,
    );
    const several = await touchstone('report', TOOL_SERVERS, WEBVOYAGER, '--junit', file);
    expect(several).toMatchObject({
      exit: 2,
      err: expect.stringContaining('--junit writes the episodes of one bundle'),
    });
  });
});

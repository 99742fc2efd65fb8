import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

/** One task by two agents, clean and with four faults, from some of which `reference` recovers. */
const FAULTY = await committedBundle('stress');
const ACCOUNT = await committedBundle('account');

describe('a bundle with planned faults', () => {
  it('reports the spending of its clean episodes alone, and how many it leaves out', async () => {
    const { out, err } = await touchstone('compare', FAULTY);
    expect(out).toMatch(/1 task of stress, each once\.[^]*\| reference through aria \| [^|]+ \| 1 of 1 \|/);
    expect(err).toContain('left out: 8 of the episodes, since they had faults');
    expect((await touchstone('compare', ACCOUNT)).err).toBe('');
  });

  it('is compared by its clean episodes, and by recovery separately', async () => {
    const { exit, out } = await touchstone('compare', FAULTY, FAULTY, '--gate');
    expect(exit).toBe(0);
    const [clean = '', recovery = ''] = out.split('# Recovery');
    expect(clean).toContain('| reference through aria | 1 of 1 | 1 of 1 |');
    expect(recovery).toContain('| reference through aria | 1 of 3 | 1 of 3 |');
    expect(recovery).toContain('| retrying-reference through aria | 3 of 3 | 3 of 3 |');
  });

  it('is published by its clean episodes alone', async () => {
    const folder = await temporaryFolder();
    expect(await touchstone('publish', FAULTY, '--to', folder)).toMatchObject({ exit: 0 });
    const name = (await readdir(folder)).find((file) => file.endsWith('.json')) ?? '';
    const { entrants } = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
    expect(entrants.map(({ beyond_seed: score }: { beyond_seed: unknown }) => score)).toEqual([
      { passed: 1, tasks: 1 },
      { passed: 1, tasks: 1 },
    ]);
  });

  it('gives tables over several bundles by its clean episodes alone', async () => {
    const { out } = await touchstone('report', FAULTY, ACCOUNT, '--json');
    const { bundles } = JSON.parse(out);
    expect(bundles.map(({ episodes }: { episodes: number }) => episodes)).toEqual([2, 12]);
  });

  it('names the fault wherever an episode is chosen', async () => {
    const { out } = await touchstone('show', FAULTY);
    expect(out).toMatch(/ sign-in \+ page-modal +reference +aria /);
    const ids = [...out.matchAll(/^([0-9a-f]{8}) +sign-in \+ page-modal /gm)].map(([, id = '']) => id);
    expect(ids).toHaveLength(2);
    for (const id of ids) expect((await touchstone('show', FAULTY, id)).out).toContain('fault fired');
    expect((await touchstone('show', FAULTY, 'sign-in + page-modal')).out).toContain('fault fired');
    expect((await touchstone('show', FAULTY, 'nothing')).err).toContain('sign-in + page-modal');
  });

  it('lists unrecovered faults in JUnit as skipped, by another name than the clean episode', async () => {
    const folder = await temporaryFolder();
    const [copy, junit] = [path.join(folder, 'bundle'), path.join(folder, 'junit.xml')];
    await cp(FAULTY, copy, { recursive: true });
    await touchstone('report', copy, '--junit', junit);
    const out = await readFile(junit, 'utf8');
    expect(out).toMatch(/<testsuites [^>]*failures="0"/);
    expect(out).toMatch(/name="sign-in \+ page-rerendered"[^>]*>\n +<skipped message="not recovered: /);
    expect(new Set(out.match(/<testcase [^>]* name="[^"]*"/g)).size).toBe(10);
  });
});

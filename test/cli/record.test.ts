import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { touchstone } from './touchstone.ts';

const TASK = `{ id: a, title: A, startUrl: 'https://a.example.com/', goal: A, success: { kind: no_dialog } }`;

/** A suite on stand-in pages that are yet to be packed. */
async function suiteOf(
  world = '{ kind: archive, archive: web.zip }',
): Promise<{ suite: string; pages: string; page: string; archive: string }> {
  const suite = await temporaryFolder();
  const pages = path.join(suite, 'pages');
  const page = path.join(pages, 'a.example.com/index.html');
  await mkdir(path.dirname(page), { recursive: true });
  await writeFile(page, '<h1>A</h1>');
  await writeFile(path.join(suite, 'suite.yaml'), `id: mine\ntitle: Mine\ntasks: [task.yaml]\nworld: ${world}\n`);
  await writeFile(path.join(suite, 'task.yaml'), TASK);
  return { suite, pages, page, archive: path.join(suite, 'web.zip') };
}

describe('packing stand-in pages', () => {
  test('leaves an archive where the suite expects it, and lists its contents', async () => {
    const { suite, pages, archive } = await suiteOf();
    const ran = await touchstone('record', suite, '--facsimile', pages);
    expect(ran).toMatchObject({ exit: 0 });
    expect(ran.out).toMatch(/a\.example\.com +2 +20\n/);
    expect((await readFile(archive)).subarray(0, 2).toString()).toBe('PK');
    expect(await touchstone('validate', suite)).toMatchObject({ exit: 0 });
  });

  test('again changes nothing if nothing has changed', async () => {
    const { suite, pages, archive } = await suiteOf();
    await touchstone('record', suite, '--facsimile', pages);
    const before = await readFile(archive);
    expect(await touchstone('record', suite, '--facsimile', pages)).toMatchObject({ exit: 0 });
    expect(await readFile(archive)).toEqual(before);
  });

  test('never replaces another archive unasked, and shows what would change', async () => {
    const { suite, pages, page, archive } = await suiteOf();
    await touchstone('record', suite, '--facsimile', pages);
    const before = await readFile(archive);
    await writeFile(page, '<h1>B</h1>');
    await writeFile(path.join(path.dirname(page), 'new.css'), 'h1 {}');
    const refused = await touchstone('record', suite, '--facsimile', pages);
    expect(refused.exit).toBe(1);
    expect(refused.out).toContain('added: 1\nremoved: 0\nchanged: 2\n');
    expect(refused.err).toContain('changed GET https://a.example.com/\n');
    expect(refused.err).toContain('Use --accept to replace it');
    expect(await readFile(archive)).toEqual(before);
    expect(await touchstone('record', suite, '--facsimile', pages, '--accept')).toMatchObject({ exit: 0 });
    expect(await readFile(archive)).not.toEqual(before);
  });

  test('goes elsewhere on request', async () => {
    const { suite, pages } = await suiteOf(
      `{ kind: local, sites: [{ origin: 'https://a.example.com', static: pages/a.example.com, stand_in: true }] }`,
    );
    const out = path.join(suite, 'other.zip');
    expect(await touchstone('record', suite, '--facsimile', pages, '--out', out)).toMatchObject({ exit: 0 });
    expect((await readFile(out)).subarray(0, 2).toString()).toBe('PK');
  });
});

describe('bad input of record', () => {
  test('is a suite whose world is not an archive', async () => {
    const { suite, pages } = await suiteOf(
      `{ kind: local, sites: [{ origin: 'https://a.example.com', static: pages, stand_in: true }] }`,
    );
    const ran = await touchstone('record', suite, '--facsimile', pages);
    expect(ran.exit).toBe(2);
    expect(ran.err).toContain('is not an archive');
    expect(ran.err).toContain('world: { kind: archive, archive: web.zip }');
  });

  test('is an option that has no meaning for stand-in pages', async () => {
    const { suite, pages } = await suiteOf();
    const ran = await touchstone('record', suite, '--facsimile', pages, '--pages', '3');
    expect(ran).toMatchObject({ exit: 2, err: expect.stringContaining('--pages has no effect') });
  });

  test('is a folder that holds no pages', async () => {
    const { suite, pages } = await suiteOf();
    const ran = await touchstone('record', suite, '--facsimile', path.dirname(pages));
    expect(ran).toMatchObject({ exit: 2, err: expect.stringContaining('cannot be packed') });
  });
});

describe('an archive that a suite cannot use', () => {
  test('is missing', async () => {
    const { suite, archive } = await suiteOf();
    const ran = await touchstone('validate', suite);
    expect(ran.exit).toBe(2);
    expect(ran.out).toContain(`the archive ${archive} cannot be opened`);
    expect(ran.out).toContain('touchstone record');
    const run = await touchstone('run', suite, '--out', path.join(suite, 'bundle'));
    expect(run).toMatchObject({ exit: 2, err: expect.stringContaining('cannot be opened') });
  });

  test('is broken', async () => {
    const { suite, archive } = await suiteOf();
    await writeFile(archive, 'hello');
    expect(await touchstone('validate', suite)).toMatchObject({ exit: 2, out: expect.stringContaining('is broken') });
  });

  test('lacks the start page of a task', async () => {
    const { suite, pages } = await suiteOf();
    await touchstone('record', suite, '--facsimile', pages);
    await writeFile(path.join(suite, 'task.yaml'), TASK.replace('a.example.com/', 'a.example.com/missing'));
    const ran = await touchstone('validate', suite);
    expect(ran.exit).toBe(2);
    expect(ran.out).toMatch(
      /task\.yaml startUrl: of "a", https:\/\/a\.example\.com\/missing, is not in the archive web\.zip/,
    );
  });
});

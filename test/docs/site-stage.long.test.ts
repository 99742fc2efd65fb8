import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { refuseGeneratorWords } from '../../scripts/site/generator-words.ts';
import { measuredBefore } from '../../src/cli/actions/surface-bench.ts';
import { cellsPage } from '../../scripts/site/cells-page.ts';
import { homePage } from '../../scripts/site/home-page.ts';
import { linkedFiles } from '../../scripts/site/page-links.ts';
import { readerGroups } from '../../scripts/site/site-map.ts';
import { sourcePage } from '../../scripts/site/source-page.ts';
import { type Staged, stagePages, withoutComments } from '../../scripts/site/stage.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { pages } from './pages.ts';

const README = readFileSync(path.join(packageRoot(), 'README.md'), 'utf8');

let folder = '';
let staged: Staged;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-test-'));
  staged = await stagePages(packageRoot(), folder);
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

it('the readers in the side bar are those of README, with its pages for them', () => {
  const groups = readerGroups(README);
  expect(groups.map(({ text }) => text)).toEqual([
    'Measure my agent',
    'Measure my tool server',
    'Test my app',
    'Measure a model',
    "Check someone's numbers",
    'Look something up',
  ]);
  expect(groups[0]?.items).toContainEqual({ text: 'Run it in CI', file: 'docs/ci.md' });
  expect(groups[4]?.items).toContainEqual({ text: 'Security', file: 'SECURITY.md' });
});

it('a page for several readers is listed where it is named first', () => {
  const readme =
    '# T\n\n## What do you want to do?\n\n**One.** [a](a.md)\n**Two.** [b](b.md#x), [a again](a.md)\n\n## Else\n\n[c](c.md)\n';
  expect(readerGroups(readme)).toEqual([
    { text: 'One', items: [{ text: 'A', file: 'a.md' }] },
    { text: 'Two', items: [{ text: 'B', file: 'b.md' }] },
  ]);
});

it('a README without readers is an error', () => {
  expect(() => readerGroups('# T\n')).toThrow('README.md has no heading "## What do you want to do?"');
  expect(() => readerGroups('# T\n\n## What do you want to do?\n\nNothing.\n')).toThrow('README.md has no readers');
});

it('every document is a page, and is in the side bar once, below the quickstart', () => {
  expect(staged.groups[0]?.items.map(({ file }) => file)).toEqual(['README.md', 'docs/quickstart.md']);
  const listed = staged.groups.flatMap(({ items }) => items.map(({ file }) => file));
  expect(listed.toSorted()).toEqual([...pages().map(({ name }) => name), 'CHANGELOG.md'].toSorted());
  expect(listed.filter((file) => !existsSync(path.join(folder, file)))).toEqual([]);
});

it('documents are unchanged, except for notes to scripts', async () => {
  for (const { name, text } of pages())
    expect(await readFile(path.join(folder, name), 'utf8')).toBe(withoutComments(text));
  expect(withoutComments('a\n<!-- note -->\nb `<!-- c -->`\n```html\n<!-- code -->\n```\n')).toBe(
    'a\nb `<!-- c -->`\n```html\n<!-- code -->\n```\n',
  );
});

it('files and folders that documents link to have pages that show them', async () => {
  expect(staged.addresses).toMatchObject({
    'schemas/run-event.json': '/schemas/run-event.json.source.html',
    'apps/invoice': '/apps/invoice/',
  });
  expect(await readFile(path.join(folder, 'apps/invoice/index.md'), 'utf8')).toContain(
    '- [`commands.ts`](/apps/invoice/commands.ts.source.html)',
  );
  const source = await readFile(path.join(folder, 'apps/invoice/commands.ts.source.md'), 'utf8');
  expect(source).toContain(await readFile(path.join(packageRoot(), 'apps/invoice/commands.ts'), 'utf8'));
});

it('the committed bundles and their reports are copied as they are', async () => {
  expect(staged.reports).toContainEqual({ text: 'tool-servers', file: 'docs/bundles/tool-servers.html' });
  const { text = '', file = '' } = staged.reports[0] ?? {};
  const copies = path.join(folder, 'public', 'docs', 'bundles');
  expect(await readFile(path.join(folder, 'public', file), 'utf8')).toContain('<title>');
  expect(await readFile(path.join(copies, `${text}.zip`))).toEqual(
    await readFile(path.join(packageRoot(), 'docs', 'bundles', `${text}.zip`)),
  );
});

it('every cell of the matrix of tool servers leads to an episode of the staged report', async () => {
  const file = 'docs/bundles/web-cells.html';
  expect(staged.reports).toContainEqual({ text: 'web, by cell', file });
  const links = (await readFile(path.join(folder, 'public', file), 'utf8')).matchAll(/episodes\?episode=([0-9a-f]+)/g);
  const report = await readFile(path.join(folder, 'public/docs/bundles/web.html'), 'utf8');
  const ids = [...links].map(([, id = '']) => id);
  expect(new Set(ids).size).toBe(measuredBefore().surfaces.flatMap(({ cells }) => Object.keys(cells)).length);
  expect(ids.filter((id) => !report.includes(`"id":"${id}"`))).toEqual([]);
});

it('a cell without an episode is an error', () => {
  const { groups, surfaces } = measuredBefore();
  const first = `${surfaces[0]?.surface}/${groups[0]?.tasks[0]?.id}`;
  expect(() => cellsPage('web.html', [], measuredBefore(), [])).toThrow(`no episode of ${first} is in the bundle`);
});

it('a file that holds fences is shown whole', () => {
  const page = sourcePage('a.yaml', 'text: |\n  ```\n  code\n  ```\n');
  expect(page).toContain('\n````yaml\ntext: |\n  ```\n  code\n  ```\n````\n');
});

it('links in code, to other hosts and out of the repository lead to no file', () => {
  const text =
    '[a](docs/quickstart.md#x) [b](https://example.com) [c](../out.md) [d](nowhere.md) [e](#f)\n```sh\n[f](LICENSE)\n```\n';
  expect(linkedFiles(packageRoot(), 'README.md', text)).toEqual(['docs/quickstart.md']);
});

it('a link that leads out of the repository by a link of the file system leads to no file', async () => {
  const root = await temporaryFolder();
  await writeFile(path.join(root, 'inside.txt'), '');
  await symlink('inside.txt', path.join(root, 'alias.txt'));
  await symlink(packageRoot(), path.join(root, 'outside'));
  expect(linkedFiles(root, 'a.md', '[a](alias.txt) [b](outside/LICENSE) [c](outside)')).toEqual(['alias.txt']);
});

it.each([
  ['front matter', '---\nhead: [[script, {}, "run()"]]\n---\n\n# T\n'],
  ['a file that is put in', 'a <!-- @include: ../../etc/passwd -->\n'],
  ['a file that is put in', '# T\n\n- <<< /etc/passwd\n'],
  ['a box', '# T\n\n::: details <b>a</b>\nb\n:::\n'],
  ['a title of a note', '> [!NOTE] <img src=x onerror=run()>\n> a\n'],
  ['a word of a block of code that is none', '```js [<img src=x onerror=run()>]\na\n```\n'],
])('%s, which only the generator understands, is refused', (what, page) => {
  expect(() => refuseGeneratorWords('a.md', page)).toThrow(`a.md has ${what} in it`);
});

it('syntax that GitHub also understands is accepted', () => {
  const page = '# T\n\n> [!NOTE]\n> a\n\n~~~~js file=a/b-c.mjs\n```\n~~~~\n\n````\n```yaml task\n````\n\n---\n';
  expect(() => refuseGeneratorWords('a.md', page)).not.toThrow();
});

it('names in the bars are text, even if the theme would read them as markup', async () => {
  const empty = await temporaryFolder();
  const items = [{ text: 'a & <img src=x onerror=run()>', file: 'a.md' }];
  const groups = [{ text: '<b>', items }];
  await writeFile(path.join(empty, 'site.json'), JSON.stringify({ groups, nav: items, reports: [], addresses: {} }));
  const configuration = pathToFileURL(path.join(packageRoot(), 'site', '.vitepress', 'config.mjs')).href;
  const program = `const { default: { themeConfig } } = await import('${configuration}');
    console.log(JSON.stringify([themeConfig.sidebar, themeConfig.nav]));`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, SITE_PAGES: empty } });
  const shown = [{ text: 'a &amp; &lt;img src=x onerror=run()>', link: '/a' }];
  expect(JSON.parse(stdout)).toEqual([[{ text: '&lt;b>', items: shown }], shown]);
});

it('the first page begins like README', () => {
  const page = homePage(README, 'of <b>', readerGroups(README));
  expect(page).toContain('"text": "Touchstone is a benchmark for web agents');
  expect(page).toContain('![The page of the failed episode');
  expect(page).toContain('npm run bench ');
  expect(page).not.toContain('## Status');
});

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildPages, GENERATOR, installGenerator } from '../../scripts/site/build.ts';
import { type ServedSite, serveSite } from '../../scripts/site/serve.ts';
import { type Staged, stagePages } from '../../scripts/site/stage.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { faultsOf } from '../axe.ts';
import { machineBrowser } from '../shared-browser.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const BRACES = [
  '# Title {{ 1 + 1 }}',
  '{{ 2 + 2 }} <b id="markup">not bold</b> <script>document.title = "run"</script> :smile: word{.attribute}',
  '| {{ 3 + 3 }} |\n|---|\n| `{{ 4 + 4 }}` |',
  '```yaml\nurl: "{{ 5 + 5 }}"\n```',
  '[{{ 6 + 6 }}](index.md "{{ 7 + 7 }}")',
].join('\n\n');

const workplace: { folder: string; site: ServedSite | null } = { folder: '', site: null };

beforeAll(async () => {
  installGenerator(() => {});
  workplace.folder = await mkdtemp(path.join(GENERATOR, '.pages-'));
  const [pages, built] = ['whole', 'built'].map((name) => path.join(workplace.folder, name));
  await stagePages(packageRoot(), pages ?? '');
  await writeFile(path.join(pages ?? '', 'braces.md'), BRACES);
  await buildPages(pages ?? '', built ?? '');
  workplace.site = await serveSite(built ?? '');
});

afterAll(async () => {
  await workplace.site?.[Symbol.asyncDispose]();
  await rm(workplace.folder, { recursive: true, force: true });
});

async function build(page: string): Promise<void> {
  const pages = await mkdtemp(path.join(GENERATOR, '.pages-'));
  onTestFinished(async () => rm(pages, { recursive: true, force: true }));
  const staged: Staged = { title: 'Small', description: '', groups: [], nav: [], reports: [], addresses: {} };
  await mkdir(path.join(pages, 'public'));
  await cp(path.join(GENERATOR, 'mark.svg'), path.join(pages, 'public', 'mark.svg'));
  await writeFile(path.join(pages, 'site.json'), JSON.stringify(staged));
  await writeFile(path.join(pages, 'index.md'), page);
  await buildPages(pages, await temporaryFolder());
}

interface Look {
  width?: number;
  colorScheme?: 'light' | 'dark';
}

interface Opened extends AsyncDisposable {
  page: Page;
  foreign: string[];
  logged: string[];
}

async function open(address: string, { width = 1280, colorScheme = 'light' }: Look = {}): Promise<Opened> {
  const playwright = await (await machineBrowser()).playwright();
  const context = await playwright.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion: 'reduce',
    proxy: { server: 'http://127.0.0.1:1', bypass: '127.0.0.1' },
  });
  const page = await context.newPage();
  const [foreign, logged]: [string[], string[]] = [[], []];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== new URL(address).origin) foreign.push(request.url());
  });
  page.on('console', (message) => logged.push(message.text()));
  page.on('pageerror', (error) => logged.push(error.message));
  await page.goto(address, { waitUntil: 'load' });
  return { page, foreign, logged, [Symbol.asyncDispose]: () => context.close() };
}

function addressOf(file: string): string {
  return `${workplace.site?.address ?? ''}${file}`;
}

/** Waits until the page's script has started: only then its buttons work. */
async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction("document.querySelector('#app').__vue_app__ !== undefined");
}

async function search(page: Page, word: string): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill(word);
}

describe('the site of the documents', () => {
  test.each(['', 'README.html', 'docs/surfaces.html', 'docs/results.html', 'schemas/run-event.json.source.html'])(
    '/%s loads nothing from another host, and logs nothing',
    async (file) => {
      await using opened = await open(addressOf(file));
      await untilAlive(opened.page);
      await opened.page.waitForLoadState('networkidle');
      expect(opened.foreign).toEqual([]);
      expect(opened.logged).toEqual([]);
    },
  );

  test('a page that loads a picture from another host is noticed', async () => {
    const built = await temporaryFolder();
    await writeFile(path.join(built, 'index.html'), '<img src="http://elsewhere.example/x.png">');
    await using served = await serveSite(built);
    await using opened = await open(served.address);
    expect(opened.foreign).toEqual(['http://elsewhere.example/x.png']);
  });

  test.each([390, 1280])(
    'at %d px pages have no fault that axe finds, in light and in dark, and do not scroll sideways',
    async (width) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        for (const file of ['', 'docs/surfaces.html', 'docs/results.html']) {
          await using opened = await open(addressOf(file), { width, colorScheme });
          await untilAlive(opened.page);
          expect({ file, colorScheme, faults: await faultsOf(opened.page) }).toEqual({ file, colorScheme, faults: [] });
          expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        }
      }
    },
  );

  test('search finds the page with a word, without asking another host', async () => {
    await using opened = await open(addressOf(''));
    const { page, foreign } = opened;
    await untilAlive(page);
    await search(page, 'cassettes');
    await page.locator('.result', { hasText: 'Cassettes' }).first().click();
    await page.waitForURL(/\/docs\/models\.html#cassettes$/);
    await search(page, 'frobnicatorium');
    await page.getByText('No results for').waitFor();
    expect(foreign).toEqual([]);
  });

  test('dark can be chosen, and stays', async () => {
    await using opened = await open(addressOf('docs/quickstart.html'));
    const { page } = opened;
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await untilAlive(page);
    expect(await paper()).toBe('rgb(255, 255, 255)');
    await page.getByRole('switch').first().click();
    await page.locator('html.dark').waitFor();
    await page.goto(addressOf('docs/models.html'));
    await page.locator('html.dark').waitFor();
    expect(await paper()).toBe('rgb(27, 27, 31)');
  });

  test('placeholders in documents are shown unchanged', async () => {
    await using opened = await open(addressOf('docs/surfaces.html'));
    await untilAlive(opened.page);
    const text = await opened.page.locator('main').innerText();
    for (const placeholder of ['{{cdpUrl}}', '{{tab_id}}', '{{ref}}']) expect(text).toContain(placeholder);
  });

  test('the picture of a failed episode is shown, and leads to agents; a bundle can be loaded, and its report read', async () => {
    await using opened = await open(addressOf(''));
    const { page } = opened;
    await untilAlive(page);
    expect(await page.evaluate("document.querySelector('.vp-doc img').naturalWidth")).toBe(1060);
    await page.locator('a:has(> img[alt^="The page of the failed episode"])').click();
    await page.waitForURL(/\/docs\/agents\.html$/);
    const packed = await page.request.get(addressOf('docs/bundles/account.zip'));
    expect(await packed.body()).toEqual(await readFile(path.join(packageRoot(), 'docs/bundles/account.zip')));
    await page.goto(addressOf('docs/bundles/tool-servers.html'));
    await page.getByRole('heading', { name: 'basics: reference through 6 surfaces' }).waitFor();
    expect(opened.logged).toEqual([]);
  });

  test('a link out of the documents leads to a page that shows the file', async () => {
    await using opened = await open(addressOf('docs/scale.html'));
    const { page } = opened;
    await untilAlive(page);
    await page.locator('main a[href$="/schemas/run-event.json.source.html"]').first().click();
    await page.getByRole('heading', { name: 'schemas/run-event.json' }).waitFor();
    expect(await page.locator('main pre').innerText()).toContain('"$schema"');
  });
});

describe('a page of a site', () => {
  test('shows braces and markup of its text unchanged', async () => {
    await using opened = await open(addressOf('braces.html'));
    const { page } = opened;
    await untilAlive(page);
    const text = await page.locator('main').innerText();
    for (const shown of [1, 2, 3, 4, 5, 6].map((n) => `{{ ${n} + ${n} }}`)) expect(text).toContain(shown);
    expect(text).toContain(
      '<b id="markup">not bold</b> <script>document.title = "run"</script> :smile: word{.attribute}',
    );
    expect(await page.locator('#markup').count()).toBe(0);
    expect(await page.title()).toContain('Title {{ 1 + 1 }}');
    expect(opened.logged).toEqual([]);
  });

  test('is not built with a link to a missing page', async () => {
    await expect(build('[a](nowhere.md)')).rejects.toThrow('dead link ./nowhere in file index.md');
  });

  test('is not built with links to missing headings and files, or with a picture from another host', async () => {
    const page = '[a](#there) [b](nowhere.zip) ![c](https://elsewhere.example/c.png)';
    await expect(build(page)).rejects.toThrow(
      [
        'the site has links that lead nowhere:',
        'index.html: #there names no heading there',
        'index.html: nowhere.zip leads nowhere',
        'index.html: loads https://elsewhere.example/c.png',
      ].join('\n'),
    );
  });
});

import { expect, it } from 'vitest';
import { linkProblems } from '../../scripts/site/built-links.ts';
import { serveSite } from '../../scripts/site/serve.ts';
import { folderOf } from '../suite-files.ts';

/** The faults of a page with this content, next to `other.html` with a heading `here`. */
async function problemsOf(html: string): Promise<string[]> {
  return linkProblems(
    await folderOf({ 'docs/page.html': html, 'docs/other.html': '<h2 class="x" id="here">Here</h2>' }),
  );
}

it('links to pages, headings, folders with a first page and other hosts are fine', async () => {
  const html = '<h1 id="top"></h1><a href="./other.html#here"></a><a href="#top"></a><a href="https://example.com/x">';
  expect(await problemsOf(html)).toEqual([]);
  expect(linkProblems(await folderOf({ 'index.html': '<a href="/a/">', 'a/index.html': '' }))).toEqual([]);
});

it.each([
  ['a page that is not there', '<a class="x" href="nowhere.html">', 'nowhere.html leads nowhere'],
  ['a heading that is not there', '<a href="other.html#there">', 'other.html#there names no heading there'],
  ['a heading of its own that is not there', '<a href="#there">', '#there names no heading there'],
  ['a folder without a first page', '<a href="/docs/">', '/docs/ leads nowhere'],
  ['a file outside of the site', '<a href="/%2e%2e/secret">', '/%2e%2e/secret leads nowhere'],
  ['a picture that is not there', '<img alt="" src="picture.webp">', 'picture.webp leads nowhere'],
  ['a picture from another host', '<img src="https://example.com/a.png">', 'loads https://example.com/a.png'],
  ['a script from another host', '<script src="//example.com/a.js">', 'loads //example.com/a.js'],
  ['a style from another host', '<link href="http://example.com/a.css">', 'loads http://example.com/a.css'],
])('%s is named', async (_, html, problem) => {
  expect(await problemsOf(html)).toEqual([`docs/page.html: ${problem}`]);
});

it('below the path of its host, links from the root of the host lead nowhere', async () => {
  const built = await folderOf({ 'index.html': '<a href="/base/a.html"><a href="/a.html">', 'a.html': '' });
  expect(linkProblems(built, '/base/')).toEqual(['index.html: /a.html leads nowhere']);
});

it('a site is served on loopback, and nothing outside of it', async () => {
  const built = await folderOf({ 'index.html': 'first', '404.html': 'not here', 'a.svg': '<svg/>' });
  await using served = await serveSite(built);
  expect(served.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const got = async (below: string) => {
    const response = await fetch(`${served.address}${below}`);
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  expect(await got('?x')).toEqual({ status: 200, type: 'text/html; charset=utf-8', text: 'first' });
  expect(await got('a.svg')).toMatchObject({ status: 200, type: 'image/svg+xml' });
  for (const below of ['nowhere.html', '..%2f..%2fetc%2fpasswd', '%ff', 'docs/']) {
    expect(await got(below)).toEqual({ status: 404, type: 'text/html; charset=utf-8', text: 'not here' });
  }
});

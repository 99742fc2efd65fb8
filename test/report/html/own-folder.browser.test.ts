import { expect, test } from 'vitest';
import { reportPage } from '../../../src/report/html/page.ts';
import { machineBrowser } from '../../shared-browser.ts';
import { wideReport } from './wide-report.ts';

const PAGE = reportPage(wideReport(1));

/** The bundle in the command that checks it, and in that of its first episode, of the page at this address. */
async function bundlesAt(address: string): Promise<(string | undefined)[]> {
  const playwright = await (await machineBrowser()).playwright();
  const context = await playwright.newContext();
  try {
    const page = await context.newPage();
    await context.route('**', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: PAGE }));
    await page.goto(address);
    await page.locator('#rows button').first().click();
    const said = [await page.locator('.command').first().textContent(), await page.getByRole('dialog').innerText()];
    return said.map((text) => /touchstone (?:verify|show) (.*?)(?: [0-9a-f]{32})?$/m.exec(text ?? '')?.[1]);
  } finally {
    await context.close();
  }
}

test('the commands of a report name the folder in which it is opened as a file, as one word', async () => {
  const bundle = '/home/ada/bundles/one';
  expect(await bundlesAt(`file://${bundle}/report.html`)).toEqual([bundle, bundle]);
  const odd = `'/home/it'\\''s $mine/one'`;
  expect(await bundlesAt("file:///home/it's%20$mine/one/report.html")).toEqual([odd, odd]);
});

test.each(['file:///home/ada/mail.html', 'http://report.test/report.html'])(
  'they name none if the page is at %s',
  async (address) => {
    expect(await bundlesAt(address)).toEqual(['path/to/bundle', 'path/to/bundle']);
  },
);

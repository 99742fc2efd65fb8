import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { requireBrowser } from '../src/browser/find.ts';
import { unpackBundle } from '../src/bundle/unpack.ts';
import { makeFolder } from '../src/process/own-folder.ts';
import { packedBundle } from './draw-bundles.ts';

/** The picture that README shows: the top of the report in the committed bundle of the tool servers. */
export const PICTURE = fileURLToPath(new URL('../docs/report.webp', import.meta.url));
const SIZE = { width: 1060, height: 725 };
/** Quality out of 100; letters stay sharp. */
const QUALITY = 70;

async function drawPicture(): Promise<void> {
  const folder = makeFolder('bundle');
  const browser = await chromium.launch({
    executablePath: requireBrowser('full').path,
    args: ['--no-sandbox', '--force-color-profile=srgb'],
  });
  try {
    await unpackBundle(packedBundle('tool-servers'), folder);
    const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
    await page.goto(pathToFileURL(path.join(folder, 'report.html')).href);
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    writeFileSync(PICTURE, Buffer.from(data, 'base64'));
    console.log(`${path.relative('.', PICTURE)}: ${readFileSync(PICTURE).length} bytes`);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await drawPicture();

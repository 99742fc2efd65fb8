import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { requireBrowser } from '../src/browser/find.ts';

/** Quality out of 100; letters stay sharp. */
const QUALITY = 70;

interface Picture {
  file: string;
  address: string;
  size: { width: number; height: number };
  /** Waits for what the picture is of. */
  until?: (page: Page) => Promise<void>;
}

/** The file of a picture in the documents. */
export function pictureFile(name: string): string {
  return fileURLToPath(new URL(`../docs/${name}.webp`, import.meta.url));
}

/** Draws the top of a page, in light colours, into a file. */
export async function drawPicture({ file, address, size, until }: Picture): Promise<void> {
  const browser = await chromium.launch({
    executablePath: requireBrowser('full').path,
    args: ['--no-sandbox', '--force-color-profile=srgb'],
  });
  try {
    const page = await browser.newPage({ viewport: size, colorScheme: 'light' });
    await page.goto(address);
    await until?.(page);
    const session = await page.context().newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    const bytes = Buffer.from(data, 'base64');
    writeFileSync(file, bytes);
    console.log(`${path.relative('.', file)}: ${bytes.length} bytes`);
  } finally {
    await browser.close();
  }
}

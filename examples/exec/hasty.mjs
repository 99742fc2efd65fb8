import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const { cdp_url: url } = JSON.parse(readFileSync(0, 'utf8')); // and goal, start_url, caps
const browser = await chromium.connectOverCDP(url);
const [page] = browser.contexts()[0].pages();
page.on('dialog', (dialog) => dialog.accept());
await page.getByRole('button', { name: 'Delete' }).first().click();
console.log('{"type":"done"}');

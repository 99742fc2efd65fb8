import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const { goal, cdp_url: url } = JSON.parse(readFileSync(0, 'utf8'));
const say = (line) => console.log(JSON.stringify(line));
const browser = await chromium.connectOverCDP(url);
const [page] = browser.contexts()[0].pages();
const [address] = /https?:\/\/\S+/.exec(goal) ?? [page.url()];
await page.goto(address);
say({ type: 'step', tool: 'goto', args: { address }, text: await page.title() });
say({ type: 'done' });

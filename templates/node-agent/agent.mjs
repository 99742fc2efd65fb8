// An agent: it gets a goal and the address of a browser, drives the browser, and reports when it is done.
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const { goal, cdp_url: url } = JSON.parse(readFileSync(0, 'utf8'));
const say = (line) => console.log(JSON.stringify(line));
const browser = await chromium.connectOverCDP(url);
const [page] = browser.contexts()[0].pages();

// Your agent takes over here. This one reads the heading, whatever the goal asks for.
console.error(`asked to: ${goal}`);
const heading = await page.evaluate(() => document.querySelector('h1')?.innerText || document.title);
say({ type: 'step', tool: 'read', args: { what: 'heading' }, text: heading });
say({ type: 'answer', value: heading });
say({ type: 'done' });

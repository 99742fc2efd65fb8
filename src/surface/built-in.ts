import { appMcp } from './app-mcp/app-mcp.ts';
import { aria } from './aria/aria.ts';
import { dom } from './dom/dom.ts';
import { nac3 } from './nac3/nac3.ts';
import { pixels } from './pixels/pixels.ts';
import { playwright } from './playwright/playwright.ts';
import { puppeteer } from './puppeteer/puppeteer.ts';
import { stagehand } from './stagehand/stagehand.ts';
import type { Surface } from './surface.ts';
import { webmcp } from './webmcp/webmcp.ts';

/** Every surface of ours, in the order in which they are listed. Tool servers are files in `surfaces/`. */
export const BUILT_IN: readonly Surface[] = [aria, nac3, dom, appMcp, webmcp, pixels, playwright, puppeteer, stagehand];

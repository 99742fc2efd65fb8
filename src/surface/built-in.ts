import { appMcp } from './app-tools/app-mcp.ts';
import { aria } from './aria/aria.ts';
import { dom } from './dom/dom.ts';
import { nac3 } from './nac3/nac3.ts';
import { pixels } from './pixels/pixels.ts';
import { playwright, puppeteer, stagehand } from './library/libraries.ts';
import type { Surface } from './surface.ts';
import { webmcp } from './app-tools/webmcp.ts';

/** Our surfaces, in the order of `list`. Tool servers are files in `surfaces/`. */
export const BUILT_IN: readonly Surface[] = [aria, nac3, dom, appMcp, webmcp, pixels, playwright, puppeteer, stagehand];

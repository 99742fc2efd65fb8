import { keepBrowsers } from '../src/browser/kept-browsers.ts';

// Most campaigns of these tests are short: those of one process lend each other their browsers, which end with the process.
keepBrowsers();

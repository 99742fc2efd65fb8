import { pageKind } from '../page-kind.ts';

const STYLE = 'position:fixed;inset:0;z-index:2147483647;background:#ddd;color:#222;font:24px sans-serif;padding:20%';

export const covered = pageKind('covered', 'something lies over the whole page for a time', {
  text: 'One moment, please…',
  script: `() => added('div', '${STYLE}', page.documentElement)`,
});

// Pages come from what scripts/site/stage.ts has written: the documents as they are, with no word for the site in them.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '..');
const pages = process.env.SITE_PAGES ?? path.join(folder, '.pages');
const base = process.env.SITE_BASE ?? '/';
const staged = JSON.parse(readFileSync(path.join(pages, 'site.json'), 'utf8'));

/** The theme takes names in its bars for markup. */
const shown = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const linkTo = ({ text, file }) => ({ text: shown(text), link: `/${file.replace(/\.md$/, '')}` });

export default {
  title: staged.title,
  description: staged.description,
  lang: 'en',
  base,
  srcDir: pages,
  outDir: process.env.SITE_BUILT ?? path.join(folder, 'dist'),
  cacheDir: path.join(pages, '.cache'),
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}mark.svg` }],
    ['meta', { name: 'referrer', content: 'no-referrer' }],
  ],
  // The theme's first page has no landmark for what it is about.
  transformHtml: (html) => html.replace('<div class="VPHome"', '<div role="main" class="VPHome"'),
  themeConfig: {
    logo: '/mark.svg',
    search: {
      provider: 'local',
      // A label that says what can be read there.
      options: { translations: { button: { buttonText: 'Search (/)', buttonAriaLabel: 'Search (/)' } } },
    },
    nav: [
      ...staged.nav.map(linkTo),
      ...(staged.reports.length === 0
        ? []
        : [
            {
              text: 'Reports',
              items: staged.reports.map(({ text, file }) => ({ text, link: `/${file}`, target: '_self' })),
            },
          ]),
    ],
    sidebar: staged.groups.map(({ text, items }) => ({ text: shown(text), items: items.map(linkTo) })),
    outline: { level: [2, 3], label: 'On this page' },
  },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // As GitHub shows them: no markup and no attributes of this generator.
    html: false,
    attrs: { disable: true },
    emoji: { defs: {}, shortcuts: {} },
    anchor: { slugify: githubAnchor },
    config(md) {
      md.core.ruler.push('repository-links', (state) => {
        for (const { children } of state.tokens) for (const token of children ?? []) redirect(token, state.env);
      });
      keepOptionsWhole(md);
      showAsItStands(md);
    },
  },
};

/** The anchors that GitHub gives headings, since links name those. */
function githubAnchor(heading) {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** Leads a link to a file of the repository to the page that shows it, and a picture to the copy of it. */
function redirect(token, { relativePath = '' }) {
  const name = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : null;
  const target = name === null ? null : token.attrGet(name);
  if (target === null || /^(?:[a-z]+:|[#/])/.test(target)) return;
  const [file, anchor] = target.split('#');
  const place = path.posix.join(path.posix.dirname(relativePath), decodeURI(file)).replace(/\/$/, '');
  const address = Object.hasOwn(staged.addresses, place) ? staged.addresses[place] : undefined;
  if (address !== undefined) token.attrSet(name, anchor === undefined ? address : `${address}#${anchor}`);
  else if (name === 'src') token.attrSet(name, `/${place}`);
}

/** Keeps an option, such as `--out`, in one piece: browsers break lines behind its hyphens. */
function keepOptionsWhole(md) {
  const render = md.renderer.rules.code_inline;
  md.renderer.rules.code_inline = (...given) =>
    render(...given).replaceAll(/(?<![\w-])--[a-z][a-z-]*/g, '<span class="whole">$&</span>');
}

/** Keeps Vue from reading a page as a template: what stands between braces is what the page says. */
function showAsItStands(md) {
  const render = md.render.bind(md);
  md.render = (text, env) => render(text, env).replaceAll('{{', '&#123;&#123;');
}

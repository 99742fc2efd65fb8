import { type MapGroup, sectionOf } from './site-map.ts';

const COMMANDS = '## Run it';

/** The first page of the site: the beginning of README, and a card for each kind of reader. */
export function homePage(readme: string, description: string, groups: readonly MapGroup[]): string {
  const [, first = '', ...rest] = (readme.split(/^## /m, 1)[0] ?? '').split('\n\n');
  const front = {
    layout: 'home',
    search: false,
    title: 'Touchstone',
    titleTemplate: description,
    hero: {
      name: 'Touchstone',
      text: sentencesOf(first)[0]?.replace(/\.$/, ''),
      tagline: sentencesOf(first).slice(1, 3).join(' '),
      actions: [
        { theme: 'brand', text: 'Quickstart', link: '/docs/quickstart' },
        { theme: 'alt', text: 'Bring an agent', link: '/docs/agents' },
        { theme: 'alt', text: 'Results', link: '/docs/results' },
      ],
    },
    features: groups.flatMap(cardOf),
  };
  const commands = sectionOf(readme, COMMANDS).split('\n```\n', 1)[0] ?? '';
  const body = [...rest.map((part) => part.trim()), COMMANDS, `${commands.trim()}\n\`\`\``, '[Read on](README.md)'];
  return `${frontMatter(front)}\n${body.join('\n\n')}\n`;
}

/** Front matter, as JSON: YAML has that in it. */
export function frontMatter(values: object): string {
  return `---\n${JSON.stringify(values, null, 2)}\n---\n`;
}

/** A card for a reader, which leads to the first of the pages. */
function cardOf({ text, items }: MapGroup): { title: string; details: string; link: string }[] {
  const [first] = items;
  if (first === undefined) return [];
  return [{ title: text, details: items.map((item) => item.text).join(' · '), link: `/${first.file.slice(0, -3)}` }];
}

/** The sentences of a paragraph, without marks and line breaks. */
function sentencesOf(paragraph: string): string[] {
  const plain = paragraph.replaceAll('\n', ' ').replaceAll(/[*_`]/g, '').trim();
  return plain
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .split(/(?<=\.) /);
}

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sharedBrowser } from '../shared-browser.ts';
import { started } from '../viewer/started-viewer.ts';
import { type Enemy, hostileRun, wordsOf } from './hostile-run.ts';
import { touchstone } from './touchstone.ts';

const ENEMIES: Enemy[] = ['agent', 'tool server', 'archive', 'author'];

let onceFor: { printed?: Promise<string[]>; pages?: Promise<string[]> } = {};
afterAll(() => {
  onceFor = {};
});

async function print(): Promise<string[]> {
  const { suite, bundle, ran } = await hostileRun();
  const texts = [ran.out + ran.err];
  for (const args of [
    ...['list', 'validate', 'plan'].map((command) => [command, suite]),
    ...['show', 'compare', 'verify', 'rejudge'].map((command) => [command, bundle]),
    ['compare', bundle, bundle],
    ['show', bundle, 'hostile'],
  ]) {
    for (const options of args[0] === 'plan' ? [[]] : [[], ['--json']]) {
      const { out, err } = await touchstone(...args, ...options);
      texts.push(out + err);
    }
  }
  return texts;
}

/** Elements that the words would make of themselves in a page, and its title. */
async function madeBy(page: string): Promise<{ images: number; title: string }> {
  const playwright = await (await sharedBrowser()).playwright();
  const context = await playwright.newContext();
  try {
    const opened = await context.newPage();
    await opened.setContent(page);
    return { images: await opened.locator('img[onerror]').count(), title: await opened.title() };
  } finally {
    await context.close();
  }
}

async function draw(): Promise<string[]> {
  const { bundle } = await hostileRun();
  await using viewer = await started(bundle);
  const drawn = await Promise.all(viewer.pages.map(async (place) => (await viewer.get(place)).body.toString()));
  return [await readFile(path.join(bundle, 'report.html'), 'utf8'), ...drawn];
}

async function records(): Promise<string> {
  const { bundle } = await hostileRun();
  const files = await readdir(bundle, { recursive: true });
  const read = files.filter((file) => file.endsWith('.jsonl')).map((file) => readFile(path.join(bundle, file), 'utf8'));
  return (await Promise.all(read)).join('');
}

describe('hostile text in a campaign', () => {
  test.each(ENEMIES)('steers no terminal, wherever it is printed: %s', async (enemy) => {
    const texts = await (onceFor.printed ??= print());
    expect(texts.join('')).toContain(`by ${enemy} </script>`);
    for (const text of texts) {
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(text).not.toMatch(/^- all passed/m);
    }
  });

  test.each(ENEMIES)('is no markup of a report, nor of an episode’s page: %s', async (enemy) => {
    const drawn = await (onceFor.pages ??= draw());
    expect(drawn.filter((page) => page.includes(`by ${enemy}`))).not.toEqual([]);
    for (const page of drawn) {
      expect(page).not.toContain(`by ${enemy} </script>`);
      expect(await madeBy(page)).toEqual({ images: 0, title: expect.stringMatching(/ · Touchstone$/) });
    }
  });

  test.each(ENEMIES)('is no headline, nor a line that looks like one: %s', async (enemy) => {
    const { bundle } = await hostileRun();
    const markdown = await readFile(path.join(bundle, 'report.md'), 'utf8');
    expect(markdown).toContain(`by ${enemy} </script>`);
    expect(markdown).toMatch(/^No claim of who does better/m);
    expect(markdown).not.toMatch(/^- all passed/m);
    expect(JSON.parse(await readFile(path.join(bundle, 'report.json'), 'utf8'))).toMatchObject({ headlines: [] });
  });

  test.each(ENEMIES)('is in the records unchanged, and would be markup, a line and a command: %s', async (enemy) => {
    expect(await records()).toContain(`by ${enemy} </script><img`);
    expect(await records()).toContain(String.raw`\u001b[2J`);
    expect(wordsOf(enemy)).toMatch(/^- all passed/m);
    expect(await madeBy(wordsOf(enemy))).toMatchObject({ images: 1, title: 'taken' });
  });
});

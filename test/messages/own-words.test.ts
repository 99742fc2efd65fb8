import { readFileSync } from 'node:fs';
import path from 'node:path';
import { globSync } from 'tinyglobby';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Matching on a text: on at least two words, or on a word and a space. */
const MATCHES = [
  /\.(?:includes|startsWith|endsWith)\((['"`])[^'"`]*\w{2,} [^'"`]*\1\)/g,
  /\/[^/\n]*\b[A-Za-z]{2,}(?: |\\b|\\s)[^/\n]*\/[a-z]*\.(?:test|exec)\(/g,
  /\.(?:match|search)\(\/[^/\n]*\b[A-Za-z]{2,} [A-Za-z]{2,}/g,
  /[[(=,]\s*\/\^?(?:\(\?:)?[A-Za-z]{2,} [^/\n]*\/[a-z]*[,;\])]/g,
];

/** Places that match on the words of others, and whose words these are. */
const OF_OTHERS: Readonly<Record<string, string>> = {
  'src/agent/keyword/observation.ts': 'the notation of aria snapshots',
  'src/agent/keyword/rules.ts': 'keys and goals, not messages',
  'src/agent/exec/exec-agent.ts': 'JavaScript and Python, uncaught errors',
  'src/browser/install.ts': 'APT 2, Playwright 1.65',
  'src/browser/launch.ts': 'Chromium 156',
  'src/browser/page-clock.ts': 'V8, native functions',
  'src/model/sdk-model.ts': 'providers of models',
  'src/browser/gateway/written-text.ts': 'JavaScript',
  'src/dataset/miniwob/arranged-pages.ts': 'MiniWoB++ at 3f461ff, goals',
  'src/dataset/miniwob/chosen-pages.ts': 'MiniWoB++ at 3f461ff, goals',
  'src/dataset/miniwob/clicked-pages.ts': 'MiniWoB++ at 3f461ff, goals',
  'src/dataset/miniwob/email-pages.ts': 'MiniWoB++ at 3f461ff, goals',
  'src/dataset/miniwob/typed-pages.ts': 'MiniWoB++ at 3f461ff, goals',
  'src/process/sandbox/bubblewrap.ts': 'Bubblewrap 0.8',
  'src/run/record/crawl.ts': 'Playwright 1.65',
  'src/surface/page/playwright-errors.ts': 'Playwright 1.65',
  'src/surface/library/snapshot-texts.ts': 'Chromium 156, invalid selectors',
  'src/world/static-site.ts': 'HTML',
};

function matchesIn(source: string): string[] {
  return MATCHES.flatMap((pattern) => source.match(pattern) ?? []);
}

test('code matches on codes, not on words of ours', () => {
  const files = globSync(['src/**/*.ts'], { cwd: ROOT, ignore: ['src/report/pages/**'] });
  const found = files.filter((file) => matchesIn(readFileSync(path.join(ROOT, file), 'utf8')).length > 0);
  const known = new Set(Object.keys(OF_OTHERS));
  expect(found.filter((file) => !known.has(file))).toEqual([]);
  expect([...known].filter((file) => !found.includes(file))).toEqual([]);
});

test.each([
  "message.startsWith('unknown field; allowed: ')",
  "remedy?.includes('it cannot be lifted')",
  '/^the answer is (.*)$/s.exec(expected)',
])('%s is found', (code) => {
  expect(matchesIn(code)).toHaveLength(1);
});

test.each(["codes.includes('harness_mode')", "text.endsWith(' ')", '/^[a-z]+$/.test(id)'])('%s is not', (code) => {
  expect(matchesIn(code)).toEqual([]);
});

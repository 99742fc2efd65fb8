import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawWebVoyager, WEBVOYAGER_DOCS } from '../../scripts/draw-webvoyager.ts';

const committed = readFileSync(WEBVOYAGER_DOCS, 'utf8');

test('the table of WebVoyager is what the committed bundle says; "npm run docs" draws it', async () => {
  expect(await drawWebVoyager(committed)).toBe(committed);
});

test('a score that was changed by hand is noticed', async () => {
  const changed = committed.replace('| 2 / 2 (', '| 3 / 2 (');
  expect(changed).not.toBe(committed);
  expect(await drawWebVoyager(changed)).toBe(committed);
});

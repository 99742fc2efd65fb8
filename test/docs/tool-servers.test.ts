import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawToolServers, SURFACES_DOCS } from '../../scripts/draw-tool-servers.ts';

const committed = readFileSync(SURFACES_DOCS, 'utf8');

test('the table of the tool servers is what the committed bundle says; "npm run docs" draws it', async () => {
  expect(await drawToolServers(committed)).toBe(committed);
});

test('a figure that was changed by hand is noticed', async () => {
  const changed = committed.replace('| aria | `playwright-core', '| aria | `better-core');
  expect(changed).not.toBe(committed);
  expect(await drawToolServers(changed)).toBe(committed);
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { drawSchemas, SCHEMAS } from '../../scripts/draw-schemas.ts';
import { Report } from '../../src/report/report.ts';
import { Task } from '../../src/task/schema.ts';
import { committedBundle } from '../committed-bundle.ts';

const drawn = drawSchemas();

it.each(Object.keys(drawn))('schemas/%s is what zod would write now; "npm run docs" draws it', (file) => {
  expect(readFileSync(path.join(SCHEMAS, file), 'utf8')).toBe(drawn[file]);
});

it('a changed field is noticed', () => {
  const changed = drawSchemas({ task: { title: 'Touchstone task', schema: Task.omit({ tags: true }) } });
  expect(changed['task.json']).not.toBe(drawn['task.json']);
});

it('a contract inside a contract is a reference to the same definition', () => {
  const Definitions = z.object({ $defs: z.object({ Contract: z.object({ oneOf: z.array(z.unknown()) }) }) });
  const { oneOf } = Definitions.parse(JSON.parse(drawn['task.json'] ?? '')).$defs.Contract;
  const not = oneOf.find((option) => JSON.stringify(option).includes('"const":"not"'));
  expect(not).toMatchObject({ properties: { child: { $ref: '#/$defs/Contract' } }, required: ['kind', 'child'] });
});

it('fields with a default may be left out', () => {
  const { required } = z.object({ required: z.array(z.string()) }).parse(JSON.parse(drawn['task.json'] ?? ''));
  expect(required).toEqual(['id', 'title', 'startUrl', 'goal', 'success']);
});

const BUNDLES = await Promise.all(['tool-servers', 'webvoyager'].map(committedBundle));
const reportIn = (bundle: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(bundle, 'report.json'), 'utf8'));
const published = z.fromJSONSchema(JSON.parse(drawn['report.json'] ?? ''));

it.each(BUNDLES)('report.json of %s matches the published schema', (bundle) => {
  expect(published.safeParse(reportIn(bundle)).error?.issues).toBeUndefined();
  expect(Report.safeParse(reportIn(bundle)).error?.issues).toBeUndefined();
});

it.each([
  ['lacks a field', { planned: undefined }],
  ['has one that nobody knows', { more: 1 }],
  ['has an episode that is no episode', { episodes: [{}] }],
])('a report that %s does not', (_, change) => {
  const changed = JSON.parse(JSON.stringify({ ...reportIn(BUNDLES[0] ?? ''), ...change }));
  expect(published.safeParse(changed).success).toBe(false);
  expect(Report.safeParse(changed).success).toBe(false);
});

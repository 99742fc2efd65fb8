import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AGENTS } from '../../src/agent/built-in.ts';
import { CONTROLS } from '../../src/plan/task-qualification.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

test('every file of an agent is registered under its name', () => {
  const files = readdirSync(path.join(ROOT, 'src/agent/kinds'));
  expect(AGENTS.map(({ id }) => `${id}.ts`).toSorted()).toEqual(files.toSorted());
});

test('the documents list every agent, with who decides', () => {
  const text = readFileSync(path.join(ROOT, 'docs/agents.md'), 'utf8');
  const rows = text.split('\n').flatMap((line) => {
    const [, id, , decider] = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    return AGENTS.some((agent) => agent.id === id) ? [[id, decider]] : [];
  });
  expect(rows).toEqual(AGENTS.map(({ id, decider }) => [id, decider]));
});

test('the controls that every task is tried with are these five: one more makes all proofs stale', () => {
  expect(CONTROLS).toEqual(['null', 'parrot', 'quitter', 'teleport', 'random']);
});

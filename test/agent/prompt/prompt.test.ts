import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filled, parsePrompt } from '../../../src/agent/prompt/prompt.ts';

const FILE = readFileSync('prompts/default.md', 'utf8');

test('a prompt file is read section by section', () => {
  const prompt = parsePrompt(FILE);
  expect(prompt.system).toMatch(/^You operate a web browser/);
  expect(prompt.task).toContain('{{goal}}');
  expect(Object.values(prompt).join()).not.toContain('##');
});

test('one without a section is refused by its name', () => {
  expect(() => parsePrompt(FILE.replace('## give_up', '## giveup'))).toThrow('the prompt has no section "## give_up"');
});

test('only what is known is filled in, once', () => {
  expect(filled('{{a}} {{b}}', { a: '{{b}}' })).toBe('{{b}} {{b}}');
});

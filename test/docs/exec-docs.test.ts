import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { AgentFile, loadCommand } from '../../src/agent/exec/command.ts';
import { briefingLine, lineIn } from '../../src/agent/exec/protocol.ts';
import { packageRoot } from '../../src/plan/package-root.ts';
import { briefOf } from '../../src/task/brief.ts';
import { capsOf } from '../../src/task/caps.ts';
import { loadTaskFile } from '../../src/task/load-task.ts';
import { blocksOf, pages } from './pages.ts';

const page = pages().filter(({ name }) => name === 'docs/agents.md');
const readme = pages().find(({ name }) => name === 'README.md');
const blocks = page.flatMap(blocksOf);
const marked = (language: string, mark?: string) =>
  blocks.filter((block) => block.language === language && (mark === undefined || block.marks.includes(mark)));

it('the agent of the page is the example, and has ten lines', () => {
  const [agent, ...others] = marked('js');
  expect(others).toEqual([]);
  expect(agent?.text).toBe(readFileSync(path.join(packageRoot(), agent?.file ?? ''), 'utf8'));
  expect(agent?.text.split('\n').filter((line) => line !== '')).toHaveLength(10);
});

it('the agent of README is the one in its picture of a failed episode, and has at most ten lines', () => {
  const agents = readme === undefined ? [] : blocksOf(readme).filter(({ file }) => file !== null);
  expect(agents.map(({ file }) => file)).toEqual(['examples/exec/hasty.mjs']);
  expect(agents[0]?.text).toBe(readFileSync(path.join(packageRoot(), 'examples/exec/hasty.mjs'), 'utf8'));
  expect(agents[0]?.text.trim().split('\n').length).toBeLessThanOrEqual(10);
});

it('the agent in Python of the page is the one that init writes, and the page names every import', () => {
  const [agent] = marked('py');
  expect(agent?.text).toBe(readFileSync(path.join(packageRoot(), agent?.file ?? ''), 'utf8'));
  const module = readFileSync(path.join(packageRoot(), 'clients/python/touchstone_agent.py'), 'utf8');
  const names = [...module.matchAll(/^(?:def|    def|class) ([a-z]\w*|Page|BrowserError)/gm)].map(([, name]) => name);
  expect(names).toContain('briefing');
  const told = page.map(({ text }) => text).join('');
  expect(names.filter((name) => !told.includes(`\`${name}`))).toEqual([]);
});

it('the briefing of the page is the one that a command gets', async () => {
  const read = await loadTaskFile(path.join(packageRoot(), 'suites/basics/tasks/example-h1.yaml'));
  const task = read.ok ? read.tasks[0]?.task : undefined;
  if (task === undefined) throw new Error('the task of the page is none');
  const [briefing] = marked('json');
  const line = briefingLine(briefOf(task, capsOf(task)), 'http://127.0.0.1:40123');
  expect(JSON.parse(briefing?.text ?? '')).toEqual(JSON.parse(line));
});

it.each(marked('jsonl', 'exec').flatMap(({ text }) => text.trim().split('\n')))(
  'is a line of the protocol: %s',
  (line) => {
    expect(lineIn(line, (text) => text)).not.toBeNull();
  },
);

it.each(marked('yaml', 'agent'))('$place is a file of an agent', ({ text }) => {
  expect(AgentFile.safeParse(parse(text))).toMatchObject({ success: true });
});

it('the bridge to browser-use is a file of an agent', () => {
  const { command, hashes } = loadCommand(path.join(packageRoot(), 'examples/exec/browser-use.yaml'));
  expect(command).toMatchObject({ id: 'browser-use', network: 'shared', env: ['MODEL'], secrets: ['OPENAI_API_KEY'] });
  expect(Object.keys(hashes)).toEqual(['browser-use.yaml', 'browser_use_agent.py']);
});

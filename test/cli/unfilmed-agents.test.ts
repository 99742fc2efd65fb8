import { expect, test } from 'vitest';
import { PlanningOptions } from '../../src/cli/planning-options.ts';
import { newPlan } from '../../src/cli/planning.ts';

/** The warnings of a plan of these agents. */
async function warningsOf(agent: string, film: boolean): Promise<string[]> {
  const notes: string[] = [];
  const options = PlanningOptions.parse({ agent, task: 'example-h1', film });
  const terminal = { out: () => undefined, note: (line: string) => void notes.push(line) };
  await newPlan({ args: ['basics'], options, given: ['agent', 'task'] }, terminal);
  return notes.filter((note) => note.includes('--film'));
}

test('who films an agent that drives the browser itself is told that no step of it will be seen', async () => {
  expect(await warningsOf('./examples/exec/agent.mjs,null', true)).toEqual([
    'warning: exec drives the browser itself: --film shows the start and the end of that, and no step',
  ]);
});

test('nobody is told so who films nothing, or no such agent', async () => {
  expect(await warningsOf('./examples/exec/agent.mjs', false)).toEqual([]);
  expect(await warningsOf('null', true)).toEqual([]);
});

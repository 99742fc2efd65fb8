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

test.each([
  [
    './examples/exec/agent.mjs,null',
    true,
    ['warning: exec drives the browser itself: --film shows the start and the end of that, and no step'],
  ],
  ['./examples/exec/agent.mjs', false, []],
  ['null', true, []],
])('--film of agents that drive the browser themselves is warned about: %s, %s', async (agent, film, warnings) => {
  expect(await warningsOf(agent, film)).toEqual(warnings);
});

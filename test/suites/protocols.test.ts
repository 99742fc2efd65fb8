import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { loadSuiteWorld } from '../../src/run/suite-world.ts';
import { type Evidence, present } from '../../src/contract/evidence.ts';
import type { Json } from '../../src/contract/json.ts';
import type { Judgement } from '../../src/contract/judgement.ts';
import { judgeTask } from '../../src/contract/judge-task.ts';
import { type TargetEntry, ledgerEntry, targetFigures } from '../../src/episode/target-ledger.ts';
import { openAppServer } from '../../src/surface/app-tools/app-mcp-session.ts';
import type { Intent } from '../../src/task/intent.ts';
import { loadSuite } from '../../src/task/load-suite.ts';
import { taskName } from '../../src/task/instance.ts';
import type { Task } from '../../src/task/schema.ts';
import type { World } from '../../src/world/world-proxy.ts';
import { mcpClient } from '../apps/invoice/open-app.ts';
import { evidence } from '../contract/evidence-sample.ts';
import { suiteIn } from '../suite-files.ts';
import { ask } from '../world/through-proxy.ts';
import { worldHere } from './performed.ts';

const SUITE = path.resolve(import.meta.dirname, '../../suites/protocols');
const suite = await suiteIn(SUITE);
const suiteWorld = await loadSuiteWorld(suite);
const tasks = suite.tasks.map(({ task }) => ({ name: taskName(task), task }));

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function worldOf(task: Task) {
  const world = await worldHere(suiteWorld, task);
  worlds.push(world);
  const start = await stateOf(world);
  const now = async (answer: Evidence['answer']): Promise<Evidence> => {
    const log = await world.network();
    if (!log.captured) throw new Error(log.why);
    return evidence({
      answer,
      network: present({ entries: log.value.entries, since: { contract_enter: 0, last_tool_call: 0 } }),
      app_state: present({ start, now: await stateOf(world) }),
    });
  };
  return { world, now };
}

async function stateOf(world: World): Promise<Json> {
  const state = await world.state();
  if (!state.captured) throw new Error(state.why);
  return state.value;
}

/** Calls the tools of a solution as an MCP client that goes through the world's proxy. */
async function follow(world: World, steps: readonly Intent[]): Promise<Evidence['answer']> {
  const client = await mcpClient(async (request) => {
    const { method, url, headers } = request;
    const body = await request.text();
    const reply = await ask(world, url, { method, headers: Object.fromEntries(headers), body });
    return new Response(reply.body, {
      status: reply.status,
      headers: { 'content-type': String(reply.headers['content-type']) },
    });
  });
  let answer: Evidence['answer'] = null;
  for (const step of steps) {
    if (step.do === 'call') await client.callTool({ name: step.tool, arguments: step.args });
    if (step.do === 'answer') answer = { value: step.value };
    if (step.do === 'not_possible') answer = { not_possible: true };
  }
  await client.close();
  return answer;
}

function leaves(judgement: Judgement): Judgement[] {
  const children = judgement.children ?? [];
  return children.length === 0 ? [judgement] : children.flatMap(leaves);
}

function toolsOf({ solutions = [] }: Task): readonly Intent[] {
  return solutions.find((solution) => solution.for === 'tools')?.steps ?? [];
}

describe.each(tasks)('$name', ({ task }) => {
  test('fails at the start in every clause of success, and its guards hold', async () => {
    const { now } = await worldOf(task);
    const { success, guard } = judgeTask(task, await now(null));
    expect(leaves(success).map(({ verdict }) => verdict)).not.toContain('pass');
    expect(leaves(success).map(({ verdict }) => verdict)).not.toContain('inconclusive');
    expect(guard).toBe('pass');
  });

  test('is completed by the calls of its solution for tools, and not without the last of them', async () => {
    const steps = toolsOf(task);
    const { world, now } = await worldOf(task);
    const { goal, guard } = judgeTask(task, await now(await follow(world, steps)));
    expect({ goal, guard }).toEqual({ goal: 'pass', guard: 'pass' });
    const cut = await worldOf(task);
    expect(judgeTask(task, await cut.now(await follow(cut.world, steps.slice(0, -1)))).goal).toBe('fail');
  });

  test('its solution for tools names nothing hidden, and leaves no target unnamed', async () => {
    const { world } = await worldOf(task);
    const [url = ''] = world.toolServers ?? [];
    const session = await openAppServer({ url, proxy: world.proxy.server }, task.goal);
    const entries: TargetEntry[] = [];
    for (const step of toolsOf(task)) {
      if (step.do !== 'call') continue;
      const call = { tool: step.tool, args: step.args };
      const reply = await session.call(call, new AbortController().signal);
      entries.push(ledgerEntry(call, session.tools, reply));
    }
    await session.close();
    expect(targetFigures(entries, true)).toMatchObject({ hallucination: 'none', why: null });
  });

  test('has a solution for the page, and several near-misses', () => {
    expect(task.solutions?.map((solution) => solution.for)).toEqual(['page', 'tools']);
    expect(task.nearMisses?.length).toBeGreaterThanOrEqual(4);
  });
});

describe('the templates', () => {
  const instances = tasks.filter(({ task }) => task.instance?.seed !== undefined).map(({ task }) => task);
  const ids = [...new Set(instances.map(({ id }) => id))];
  const templates = ids.map((id) => instances.filter((task) => task.id === id));

  test('are twelve, with five instances each that differ in goal and contract', () => {
    expect(templates).toHaveLength(12);
    for (const of of templates) {
      expect(of).toHaveLength(5);
      expect(new Set(of.map(({ goal, success }) => JSON.stringify([goal, success]))).size).toBe(5);
    }
  });

  test('share no seed', () => {
    const seeds = instances.map(({ instance }) => instance?.seed);
    expect(new Set(seeds).size).toBe(seeds.length);
  });

  test('are split by template into development and held-out, in both languages, each half with one that is not possible', () => {
    for (const split of ['development', 'held-out']) {
      const half = templates.flatMap(([first]) => (first?.tags?.includes(split) === true ? [first] : []));
      expect(half).toHaveLength(6);
      expect(new Set(half.map(({ tags }) => tags?.at(-1)))).toEqual(new Set(['spanish', 'english']));
      expect(half.filter(({ success }) => JSON.stringify(success).includes('not_possible'))).toHaveLength(1);
    }
    for (const of of templates) expect(new Set(of.map(({ tags }) => tags?.[0])).size).toBe(1);
  });

  test('are the same whenever they are loaded', async () => {
    const again = await loadSuite(SUITE);
    expect(again.ok && again.suite.tasks.map(({ task }) => task)).toEqual(tasks.map(({ task }) => task));
  });
});

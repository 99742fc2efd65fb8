import { glob } from 'tinyglobby';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseTranscript } from '../../src/agent/transcript.ts';
import { bundleLayout } from '../../src/bundle/layout.ts';
import { readCampaignFile } from '../../src/plan/campaign-file.ts';
import type { JsonObject } from '../../src/contract/json.ts';
import { taskName } from '../../src/task/instance.ts';

export type Call = readonly [tool: string, args: JsonObject];

/** What carries out a task through a surface: calls, and the arguments of the `done` after them. */
export interface Script {
  task: string;
  goal: string;
  surface: string;
  calls: readonly Call[];
  done: JsonObject;
}

/** The scripts that a bundle of the agent `reference` holds: what each surface has bound the solutions to. */
export async function scriptsIn(bundle: string): Promise<Script[]> {
  const { plan } = await readCampaignFile(bundleLayout(bundle));
  const goals = new Map(plan.tasks.map(({ task }) => [taskName(task), task.goal]));
  const files = await glob('episodes/*/1/transcript.jsonl', { cwd: bundle });
  return await Promise.all(
    files.map(async (file) => {
      const { header, entries, answer } = parseTranscript(await readFile(path.join(bundle, file), 'utf8'), file);
      const goal = goals.get(header.task);
      if (goal === undefined) throw new Error(`${file} is of a task that the bundle has not planned`);
      return {
        task: header.task,
        goal,
        surface: header.surface,
        calls: entries.map(({ tool, args }): Call => [tool, args]),
        done: answer === null ? {} : 'value' in answer ? { answer: answer.value } : { not_possible: true },
      };
    }),
  );
}

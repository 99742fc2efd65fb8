import { existsSync } from 'node:fs';
import path from 'node:path';
import { BUNDLES } from './latest.ts';
import { type Baseline, readBaseline } from '../plan/baseline.ts';
import { isWatched } from '../plan/plan.ts';
import type { Shard } from '../plan/shard.ts';
import { refuseUsedFolder } from '../run/new-folder.ts';
import type { Workers } from '../run/worker-count.ts';
import type { Request } from './command.ts';
import type { RunOptions } from './commands/run.ts';
import { newPlan, type Planned, resumedPlan } from './planning.ts';
import type { Terminal } from './terminal.ts';

/** The facts about a run before it starts. */
export interface PlannedRun extends Planned {
  options: RunOptions;
  folder: string;
  /** The number of workers from the command line or the campaign file, if one states it. */
  asked: Workers | undefined;
  /** Whether times will be claimed, so that one episode runs at a time. */
  isTimed: boolean;
  workers: Workers;
  baseline: Baseline | null;
}

/** @throws UsageError, CampaignError or AgentError naming why it cannot be planned. */
export async function planRun(request: Request<RunOptions>, terminal: Terminal): Promise<PlannedRun> {
  const { options } = request;
  const { resume, out, shard } = options;
  if (resume === undefined && out !== undefined) await refuseUsedFolder(out);
  const planned =
    resume === undefined
      ? { ...(await newPlan(request, terminal)), shard }
      : await resumedPlan(resume, request, terminal);
  const baseline = options.baseline === undefined ? null : await readBaseline(options.baseline);
  const folder = resume ?? out ?? newFolder(planned.suites, shard);
  return { ...planned, ...workersFor(request, planned), options, folder, baseline };
}

/** Decides how many episodes are to run at once: the command line comes before the campaign file. */
export function workersFor(
  { options, given }: Request<{ workers: Workers; times: boolean }>,
  planned: Pick<Planned, 'workers' | 'times' | 'plan'>,
): Pick<PlannedRun, 'asked' | 'isTimed' | 'workers'> {
  const asked = given.includes('workers') ? options.workers : planned.workers;
  const isTimed = options.times || planned.times === true;
  return { asked, isTimed, workers: isTimed ? 1 : (asked ?? (isWatched(planned.plan) ? 1 : 'auto')) };
}

/** Ids, since a folder may have a name such as "." */
export function newFolder(suites: readonly { id: string }[], shard?: Shard): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+Z/g, '');
  const part = shard === undefined ? [] : [`${shard.index}-of-${shard.of}`];
  const folder = path.join(BUNDLES, [time, ...suites.map(({ id }) => id), ...part].join('-'));
  return existsSync(folder) ? `${folder}-again` : folder;
}

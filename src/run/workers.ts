import type { LoadedSuite } from '../task/load-suite.ts';
import type { PlannedEpisode } from '../plan/plan.ts';
import type { EpisodeRunner } from './episode-runner.ts';
import { LocalAttempts, type LocalOptions } from './local-attempts.ts';
import type { Progress } from './progress.ts';
import type { Pause } from './provider-watch.ts';
import type { CampaignStage } from './campaign-stage.ts';
import { type SuiteWorld, worldBeside } from './suite-world.ts';

/** A worker's own resources: a browser that breaks, or an app that keeps state, must not touch the other workers. */
type Own = Pick<LocalOptions, 'pool' | 'worlds'>;

/**
 * Makes runners of attempts in this process, which share all but worlds and browsers.
 * @param each what each of them has of its campaign
 */
export async function localAttempts(
  { browsers, suites, ...stage }: CampaignStage,
  each: readonly Omit<LocalOptions, keyof CampaignStage | 'pool'>[],
): Promise<LocalAttempts[]> {
  const runners: LocalAttempts[] = [];
  for (const of of each) {
    const isFirst = runners.length === 0;
    const own: Own = isFirst
      ? { pool: browsers.first, worlds: stage.worlds }
      : { pool: browsers.another(), worlds: await worldsBeside(stage.worlds, suites) };
    runners.push(new LocalAttempts({ ...stage, ...of, ...own }));
  }
  return runners;
}

async function worldsBeside(
  worlds: ReadonlyMap<string, SuiteWorld>,
  suites: readonly LoadedSuite[],
): Promise<Map<string, SuiteWorld>> {
  const own = new Map<string, SuiteWorld>();
  for (const suite of suites) {
    const first = worlds.get(suite.id);
    if (first !== undefined) own.set(suite.id, await worldBeside(first, suite));
  }
  return own;
}

interface Running {
  episodes: readonly PlannedEpisode[];
  progress: Progress;
  signal: AbortSignal;
}

/**
 * Runs what is left, each worker one episode after the other, until it is done, the signal fires, or something calls for a
 * pause. They begin in plan order, and what has begun comes to its end.
 * @throws what the first of them threw; the others have ended then
 */
export async function runEpisodes(
  workers: readonly Pick<EpisodeRunner, 'run'>[],
  { episodes, progress, signal }: Running,
): Promise<Pause | null> {
  const left = episodes.filter((episode) => !progress.isDone(episode)).values();
  let pause: Pause | null = null;
  const failures: unknown[] = [];
  const work = async (runner: (typeof workers)[number]): Promise<void> => {
    while (!signal.aborted && failures.length === 0 && pause === null) {
      const { value: episode } = left.next();
      if (episode === undefined) return;
      const outcome = await runner.run(episode, progress.earlierOf(episode));
      if (outcome === null) return;
      if ('cause' in outcome) pause = outcome;
      else progress.finish(outcome);
    }
  };
  await Promise.all(workers.map((runner) => work(runner).catch((error: unknown) => failures.push(error))));
  if (failures.length > 0) throw failures[0];
  return pause;
}

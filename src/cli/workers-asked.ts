import type { Workers } from '../run/worker-count.ts';
import type { LoadedSuite } from '../task/load-suite.ts';
import { sharesServer } from '../task/suite-paths.ts';
import type { Request } from './command.ts';
import { UsageError } from './exit-code.ts';

/** Holds all that a command line, its campaign file and its suites say of how many episodes run at once. */
interface Asked {
  workers?: Workers | undefined;
  times?: boolean | undefined;
  suites: readonly LoadedSuite[];
}

/**
 * Decides how many episodes are to run at once: the command line comes before the campaign file.
 * @throws UsageError where more than one is asked for, and times are to be claimed or a suite has one server for all.
 */
export function workersAsked(
  { options, given }: Request<{ workers: Workers; times: boolean; queue?: string | undefined }>,
  planned: Asked,
): Workers {
  const said = given.includes('workers') ? options.workers : planned.workers;
  const sharing = planned.suites.find(sharesServer);
  const isAsked = typeof said === 'number' && said > 1;
  if (sharing !== undefined) {
    const why = `an app of ${sharing.id} is one server for all episodes (shared: true, or a port of its own)`;
    if (options.queue !== undefined)
      throw new UsageError(`${why}, so workers elsewhere cannot run it`, 'leave out --queue');
    if (isAsked) throw new UsageError(`${why}, so ${said} workers cannot run it`, 'leave out the number of workers');
  }
  if (!options.times && planned.times !== true) return said ?? 'auto';
  const why = 'times can be claimed only of episodes that run one at a time on one machine';
  if (options.queue !== undefined) throw new UsageError(why, 'leave out --times or --queue');
  if (isAsked) throw new UsageError(`${why}, and ${said} workers are asked for`, 'leave out --times, or the workers');
  return 1;
}

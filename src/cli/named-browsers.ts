import type { Workers } from '../run/worker-count.ts';
import { flagOf } from './options.ts';
import { UsageError } from './exit-code.ts';

/** A browser that runs already has its kind, exists once, and cannot be started afresh. */
export function refuseBesideEndpoints(endpoints: readonly string[], given: readonly string[]): void {
  if (endpoints.length === 0) return;
  const extra = given.filter((name) => name === 'browser' || name === 'isolation').map(flagOf);
  if (extra.length > 0) {
    throw new UsageError(
      `--browser-endpoint names a browser that is already running, so ${extra.join(' and ')} cannot be chosen`,
      `leave out ${extra.join(' and ')}`,
    );
  }
  if (new Set(endpoints.map((each) => new URL(each).href)).size === endpoints.length) return;
  throw new UsageError(
    '--browser-endpoint names the same browser twice, and each worker needs one to itself',
    'start another browser, or name this one once',
  );
}

/** Each worker has a browser to itself. */
export function refuseMoreWorkers(workers: Workers, endpoints: readonly string[]): void {
  if (endpoints.length === 0 || workers === 'auto' || workers <= endpoints.length) return;
  throw new UsageError(
    `${workers} workers need ${workers} browsers, and --browser-endpoint names ${endpoints.length}`,
    `give --browser-endpoint once for each worker, or --workers ${endpoints.length}`,
  );
}

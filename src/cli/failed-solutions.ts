import type { BundleLayout } from '../bundle/layout.ts';
import { FailedSteps } from '../episode/failed-steps.ts';
import type { EpisodeLine } from '../report/counted-rows.ts';
import { firstFailures } from '../report/failure-groups.ts';
import { isReference } from '../report/glossary.ts';
import type { Report } from '../report/report.ts';
import { recordedEvents } from '../row/recorded.ts';

/** The first step of a solution that failed, in words, by the id of an episode that then did not meet its contract. */
export type FailedSolutions = ReadonlyMap<string, string>;

/** Find the steps of solutions that failed and were gone on from: the likely cause where the contract is not met. */
export async function failedSolutions(
  report: Pick<Report, 'episodes' | 'agents'>,
  layout: BundleLayout,
): Promise<FailedSolutions> {
  const found = new Map<string, string>();
  for (const line of firstFailures(report).filter(mayTell)) {
    const step = await firstFailedStep(line, layout);
    if (step !== null) found.set(line.episode_id, step);
  }
  return found;
}

/** Whether a solution came to its end, and had steps that failed. */
function mayTell(line: EpisodeLine): boolean {
  return isReference(line) && line.failed_contract !== null && (line.tool_errors ?? 0) > 0;
}

async function firstFailedStep(line: EpisodeLine, layout: BundleLayout): Promise<string | null> {
  const failed = new FailedSteps();
  for await (const { event } of recordedEvents(layout, line)) failed.take(event);
  return failed.first;
}

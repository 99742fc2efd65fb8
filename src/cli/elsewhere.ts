import { type CampaignOptions, type CampaignOutcome, runCampaign } from '../run/run-campaign.ts';
import type { RunOptions } from './commands/run.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './exit-code.ts';

/** Most attempts that are in a queue or with its workers, where nothing says so: more than a few machines run at once. */
const USUAL = 32;
/** Those who may run beside others say so in their rows. */
const LEAST = 2;

/** Runs a campaign in this process, or through the queue that is named. */
export async function runHereOrElsewhere(
  campaign: CampaignOptions,
  { queue, store }: RunOptions,
  terminal: Terminal,
): Promise<CampaignOutcome> {
  if (queue === undefined) return await runCampaign(campaign);
  const note = (line: string): void => {
    terminal.note(line);
  };
  // Nobody who runs all here loads what queues are made of.
  const [{ withQueue }, { throughQueue }] = await Promise.all([
    import('./queue-place.ts'),
    import('../queue/coordinate.ts'),
  ]);
  const workers = typeof campaign.workers === 'number' ? Math.max(LEAST, campaign.workers) : USUAL;
  return await withQueue({ queue, store }, note, async (place) =>
    runCampaign({ ...campaign, elsewhere: throughQueue({ ...place, workers, note }) }),
  );
}

/** @throws UsageError for what cannot be had from workers on other machines */
export function refuseBesideQueue(options: RunOptions): void {
  const reasons: [isAsked: boolean, what: string, remedy: string][] = [
    [
      options.browserEndpoint.length > 0,
      'with --queue nothing is run here, so --browser-endpoint would name a browser for nobody',
      'give it to the worker beside that browser: touchstone worker --queue <url> --browser-endpoint <url>',
    ],
    [
      options.recordCassette !== undefined,
      '--record-cassette would write on the machines of the workers, so it cannot be used with --queue',
      'leave one of them out',
    ],
  ];
  for (const [isAsked, why, remedy] of reasons) if (isAsked) throw new UsageError(why, remedy);
}

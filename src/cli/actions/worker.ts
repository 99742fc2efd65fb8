import { fact } from '../../messages/messages.ts';
import type { OnComplaint } from '../../agent/model/setup.ts';
import { attachBrowser } from '../../browser/attach.ts';
import { createRedactor, secretsFromEnvironment } from '../../bundle/redact.ts';
import { MoneyBudget } from '../../episode/budget.ts';
import type { Campaign } from '../../run/campaign.ts';
import { PREFIX } from '../../queue/connection.ts';
import { serve } from '../../queue/serve.ts';
import { workerCount } from '../../run/worker-count.ts';
import type { Request } from '../command.ts';
import type { WorkerOptions } from '../commands/run.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { onInterruption } from '../interruption.ts';
import { browserProblems, refuseAny, tooFewBrowsers } from '../checks.ts';
import { plannedAgain } from '../planning.ts';
import { withQueue } from '../queue-place.ts';
import { noteInterruption, type Terminal } from '../terminal.ts';

/** Bounds `auto` for unknown campaigns, whose worlds may have processes. */
const UNKNOWN = { episodes: 256, hasProcesses: true, areOfModels: false, together: 'fine' } as const;

export async function worker(request: Request<WorkerOptions>, terminal: Terminal): Promise<ExitCode> {
  const { options } = request;
  const { queue, store, lostAfter, idle, maxUsd, browserEndpoint: endpoints } = options;
  if (queue === undefined) throw new UsageError(fact('worker_without_queue'));
  refuseAny(browserProblems(endpoints, request.given));
  const workers = request.given.includes('workers') ? options.workers : Math.max(1, endpoints.length);
  refuseAny(tooFewBrowsers(workers, endpoints));
  // Fails now if no browser answers, since the first campaign may come much later.
  for (const endpoint of endpoints) await (await attachBrowser(endpoint)).close();
  const stop = new AbortController();
  const forgetSignals = onInterruption(() => {
    noteInterruption(terminal, 'stopping after what is under way; interrupt again to stop at once');
    stop.abort();
  });
  const note = (line: string): void => {
    terminal.note(line);
  };
  try {
    await withQueue({ queue, store }, note, async (place) => {
      await serve({
        ...place,
        workers: workerCount(workers, { ...UNKNOWN, browsers: endpoints.length === 0 ? null : endpoints.length }),
        lostAfterMs: lostAfter * 1_000,
        budget: maxUsd === undefined ? undefined : new MoneyBudget(maxUsd),
        idleMs: idle === undefined ? null : idle * 1_000,
        signal: stop.signal,
        note,
        load: async (campaign, onComplaint) =>
          await loadCampaign(campaign, request, { terminal, onComplaint, signal: stop.signal }),
      });
    });
    return EXIT.done;
  } finally {
    forgetSignals();
  }
}

/** Loads what a campaign needs on this machine, with the same checks as for resuming a stranger's bundle. */
async function loadCampaign(
  campaign: Parameters<typeof plannedAgain>[1],
  { args, options, given }: Request<WorkerOptions>,
  { terminal, onComplaint, signal }: { terminal: Terminal; onComplaint: OnComplaint; signal: AbortSignal },
): Promise<Campaign> {
  const again = { ...options, adapter: undefined, recordCassette: undefined, maxUsd: undefined, onComplaint };
  const planned = await plannedAgain(campaign.campaign_id, campaign, { args, given, options: again }, terminal);
  const { plan, entrants, environment } = planned;
  for (const { agent } of plan.entrants) entrants.agent(agent).assertReady?.();
  const redactor = createRedactor(secretsFromEnvironment(environment, entrants.secrets));
  const { browserEndpoint: browserEndpoints } = options;
  return { ...planned, folder: PREFIX, redactor, browserEndpoints, listener: {}, signal };
}

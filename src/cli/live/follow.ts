import type { CampaignListener } from '../../run/campaign.ts';
import { ProgressPrinter, type ShownPlan } from '../progress-printer.ts';
import type { Terminal } from '../terminal.ts';
import { showProgress } from './progress-display.ts';
import { ProgressListener } from './progress.ts';
import { EventLines } from './event-lines.ts';

interface Following {
  plan: ShownPlan;
  verbose: boolean;
  json: boolean;
  /** The most cost and time, in words; null if unknown. */
  bounds: string | null;
  /** Whether the replies of this agent's model are billed. */
  isBilled: (agent: string) => boolean;
}

export function follow({ plan, verbose, json, bounds, isBilled }: Following, terminal: Terminal) {
  const progress = new ProgressListener({ iterations: plan.iterations, isBilled });
  if (json) {
    const events = new EventLines(terminal, progress, { verbose });
    return disposable(together(progress, events), events.printProgress());
  }
  const listener: CampaignListener = together(progress, new ProgressPrinter(terminal, { verbose, plan, bounds }));
  return disposable(
    listener,
    showProgress(() => progress.progress, terminal),
  );
}

function disposable(listener: CampaignListener, end: () => void) {
  return { listener, end, [Symbol.dispose]: end };
}

/** Combines listeners, which are called in turn. */
export function together(...listeners: readonly CampaignListener[]): CampaignListener {
  return {
    phase: (...given) => {
      for (const each of listeners) each.phase?.(...given);
    },
    earlier: (row) => {
      for (const each of listeners) each.earlier?.(row);
    },
    planned: (...given) => {
      for (const each of listeners) each.planned?.(...given);
    },
    askedFirst: (...given) => {
      for (const each of listeners) each.askedFirst?.(...given);
    },
    started: (...given) => {
      for (const each of listeners) each.started?.(...given);
    },
    event: (...given) => {
      for (const each of listeners) each.event?.(...given);
    },
    worldNotClosed: (...given) => {
      for (const each of listeners) each.worldNotClosed?.(...given);
    },
    interrupted: (...given) => {
      for (const each of listeners) each.interrupted?.(...given);
    },
    finished: async (row) => {
      for (const each of listeners) await each.finished?.(row);
    },
  };
}

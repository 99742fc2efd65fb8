import type { CampaignListener } from '../../run/listener.ts';

/** Several listeners as one; each is told in turn. */
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

import type { CampaignListener } from '../../run/listener.ts';

/** Several listeners as one; each is told in turn. */
export function together(...listeners: readonly CampaignListener[]): CampaignListener {
  return {
    phase: (...told) => {
      for (const each of listeners) each.phase?.(...told);
    },
    planned: (...told) => {
      for (const each of listeners) each.planned?.(...told);
    },
    askedFirst: (...told) => {
      for (const each of listeners) each.askedFirst?.(...told);
    },
    started: (...told) => {
      for (const each of listeners) each.started?.(...told);
    },
    event: (...told) => {
      for (const each of listeners) each.event?.(...told);
    },
    worldNotClosed: (...told) => {
      for (const each of listeners) each.worldNotClosed?.(...told);
    },
    interrupted: (...told) => {
      for (const each of listeners) each.interrupted?.(...told);
    },
    finished: async (row) => {
      for (const each of listeners) await each.finished?.(row);
    },
  };
}

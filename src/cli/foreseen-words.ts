import type { Reason } from '../claim/eligibility.ts';
import type { ReasonCode } from '../claim/reasons.ts';

/** Words of reasons that tell of a run that has been, and the same of one that has not. */
const FORESEEN: Partial<Record<ReasonCode, readonly [told: string, foreseen: string]>> = {
  no_episodes: ['no episode has run', 'no episode can run'],
  cells_missing: ['has run', 'can run'],
  browser_not_ours: ['Touchstone did not launch', 'Touchstone does not launch'],
  model_not_pinned: [
    'no model decided whose id, temperature and prompt were',
    'no model decides whose id, temperature and prompt are',
  ],
  not_vendor_endpoint: ['no model was asked', 'no model is asked'],
  budget_not_pinned: ['was pinned beforehand', 'is pinned'],
  agent_not_kept_apart: ['the agent could have reached', 'the agent can reach'],
  rival_not_kept_apart: ['ran at the same time, and could have reached', 'run at the same time, and can reach'],
  live_web: ['pages came from', 'pages come from'],
  no_clean_commit: ['it was not run from a clean commit', 'it would not run from a clean commit'],
  ran_at_once: ['other episodes ran', 'other episodes run'],
};

/** Says a reason against a claim of a run that has not begun. */
export function foreseenWords({ code, text }: Pick<Reason, 'code' | 'text'>): string {
  const [told, foreseen] = FORESEEN[code] ?? ['', ''];
  return text.replace(told, () => foreseen);
}

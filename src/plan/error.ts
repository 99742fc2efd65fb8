import type { CAMPAIGN } from '../messages/campaign.ts';
import { FactError } from '../messages/fact-error.ts';

/** A campaign that cannot be planned, started, resumed or merged as asked. */
export class CampaignError extends FactError<keyof typeof CAMPAIGN> {}

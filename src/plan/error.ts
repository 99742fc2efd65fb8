import type { CAMPAIGN } from '../messages/campaign.ts';
import { FactError } from '../messages/fact-error.ts';

export class CampaignError extends FactError<keyof typeof CAMPAIGN> {}

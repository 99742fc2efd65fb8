import { RemediedError } from '../contract/remedied-error.ts';

/** A campaign that cannot be planned, started or resumed as asked. */
export class CampaignError extends RemediedError<
  | 'bad_plan'
  | 'bad_baseline'
  | 'bad_qualification'
  | 'bad_folder'
  | 'not_a_bundle'
  | 'other_format'
  | 'bad_campaign'
  | 'cannot_resume'
  | 'cannot_rerun'
  | 'cannot_merge'
  | 'world_changed'
  | 'infrastructure'
> {}

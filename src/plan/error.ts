/** A campaign that cannot be planned, started or resumed as asked. */
export class CampaignError extends Error {
  readonly code:
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
    | 'infrastructure';
  readonly remedy: string;

  constructor(code: CampaignError['code'], message: string, remedy: string) {
    super(message);
    this.name = 'CampaignError';
    this.code = code;
    this.remedy = remedy;
  }
}

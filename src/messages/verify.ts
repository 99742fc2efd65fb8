import type { Template } from './template.ts';

/** Problems in a file of a bundle. A text follows its name: "ledger.jsonl:12: is a second plan". */
const FILES = {
  not_checked: '{why}',
  is_missing: 'is missing',
  report_missing: 'is missing; "touchstone report" draws it',
  seal_missing: 'is missing: the run was ended early, or it was taken away',
  not_of_bundle: 'is no part of a bundle',
  episode_not_started: 'is an episode that the ledger never started',
  attempt_not_started: 'is an attempt that the ledger never started',
  other_seal: 'is not the one that the ledger has',
  not_in_seal: 'is not in the seal',
  not_as_sealed: 'holds other bytes than were sealed',
  sealed_blob_missing: 'is missing, and {seal} names it',
  blob_twice: 'is there twice',
  blob_not_named: 'is a blob that no seal names',
  blob_other_bytes: 'holds other bytes than its name says',
  blob_trailing_bytes: 'has bytes behind its end',
  other_campaign_hash: 'is not what campaign_hash of seal.json says',
  other_ledger_head: 'does not end as ledger_head of seal.json says',
  other_episode_count: 'episodes is not how many rows count',
  other_root: 'root is not that of the sealed attempts in plan order',
  part_differs: 'what is here of {part} is not what its seal_hash says',
  signer_differs: 'is not by the signer {signer}',
  anchor_differs: 'plan_hash is not the anchor {anchor}',
  derived_differs: '{place|:is|other:{place} is} not what the rows come to',
  line_differs: 'is not what the rows come to{fields|:|other:: {fields}}',
} as const satisfies Record<string, Template>;

/** Problems in the plan, the pins and the proofs of campaign.json. */
const CAMPAIGN = {
  world_not_live: 'world_kinds says live_web of {name}, and the plan is not live',
  decider_differs: 'deciders says {decider} of {agent}, which it is not',
  model_not_of_endpoint: 'models says {kind} of {agent}, which does not fit its name and host',
  model_has_cassette: 'models says {kind} of {agent}, and transcript_hashes has its cassette {cassette}',
  proof_not_planned: 'has a proof of {task}, which is not planned',
  proof_differs:
    'the proof of {task} has {what|task_hash:another task_hash|contract_hash:another contract_hash|other:other {what}} than the plan',
  proof_other_semantics: 'the proof of {task} is of other versions of assertions than the pins',
} as const satisfies Record<string, Template>;

/** Problems in a ledger whose chain is sound. */
const LEDGER = {
  ledger_no_plan: 'has no record of the plan',
  ledger_no_part: 'is of no part',
  ledger_part_of_none: 'is of a part, and nothing was merged',
  ledger_unknown_part: 'is of part {part}, of which campaign.json says nothing',
  ledger_before_plan: 'comes before the plan',
  ledger_other_plan: 'plan_hash is not that of campaign.json',
  ledger_other_count: 'episodes is not how many the plan has',
  ledger_before_campaign: 'is older than campaign.json: the pins were not there before the first episode',
  ledger_second_plan: 'is a second plan',
  ledger_unplanned: 'episode {episode} is not in the plan',
  ledger_other_part: 'episode {episode} is of another part',
  ledger_attempt_skipped: 'starts attempt {attempt} after attempt {before}',
  ledger_plan_order: 'starts an episode that comes earlier in the plan',
  ledger_too_many_at_once: 'is one of {open} at once, and {most} is said to be the most',
  ledger_run_id_twice: 'run_id {run} was there before',
  ledger_ended_before: 'attempt {attempt} ended before',
  ledger_not_started: 'attempt {attempt} was never started',
  ledger_no_row: 'no row counts for {task} by {agent} through {surface}',
} as const satisfies Record<string, Template>;

/** Contradictions between events, or between them and the plan or the pins. A text completes "events.jsonl…". */
const EVENTS = {
  event_not_next: 'events.jsonl:{seq} does not follow from the event before it',
  event_too_long: 'events.jsonl:{seq} tells of more time than had passed',
  event_too_short: 'events.jsonl:{seq} tells of less time than the calls took',
  events_other_task: 'events.jsonl tells of another task',
  events_other_agent: 'events.jsonl tells of another agent',
  events_other_surface: 'events.jsonl tells of another surface',
  events_other_browser: 'events.jsonl tells of a browser that is not ours, as if the pinned one were',
  events_no_end: 'events.jsonl tells neither of an end, nor why nobody began',
  events_replayed: 'events.jsonl tells of recorded replies, and its model is pinned as one that was asked',
  events_not_replayed: 'events.jsonl tells of no recorded replies, and they alone are pinned',
  events_impossible: 'events.jsonl tells why nobody began, and of an episode that has begun',
  events_other_fault: 'events.jsonl tells of another fault than the plan draws',
} as const satisfies Record<string, Template>;

/** Contradictions between a row and the record. */
const ROWS = {
  row_field_differs: '{field} is not what was recorded: {difference}',
  row_not_from_evidence: 'is not what follows from its evidence',
  row_not_valid: 'what was recorded comes to no row: {why}',
  row_of_unknown_start: 'the ledger does not say when it was started',
  row_other_run_id: 'run_id is not of this episode',
  row_not_alone: 'it began before another had ended, and one of the two says that it ran alone',
  row_other_start: 'started_at is not when the ledger says',
  row_other_end: 'ended_at is not when the ledger says',
  surface_was_unavailable: 'it ran, and another says that its surface is unavailable',
  surface_was_available: 'it is unavailable, and another ran through its surface',
} as const satisfies Record<string, Template>;

/** Why an episode could not be judged again, or how its judgement differs. */
const REJUDGED = {
  row_missing: 'the plan has this episode, and the bundle has no row that counts for it',
  row_unplanned: 'its episode is not in the plan',
  row_counted_twice: 'its episode is counted twice',
  task_hash_differs: 'the plan has a task that is not what its task_hash says',
  contract_hash_differs: 'the plan has a contract that is not what its contract_hash says',
  seal_differs: 'seal.json is not the one that the ledger has',
  sealed_file_differs: '{file}: {problem}',
  no_evidence: 'there is no evidence of the {moment}',
  task_was_valid: 'its task was valid at the start',
  task_was_invalid: 'its task was invalid at the start: {path} was {verdict}',
  address_differs: 'the address at the {moment} is not that of the evidence',
  evidence_answer_differs: 'the answer at the {moment} is not that of the evidence',
  cell_can_run: 'it is not_applicable, and agent {agent} can run this task',
  outcome_differs: '{field} was recorded as {was} and is {is}',
  rerun_differs: 'run again, {field} was {was} and is {is}{why|:|other: ({why})}',
} as const satisfies Record<string, Template>;

/** Findings of `verify`, `rejudge` and `verify --rerun`. */
export const VERIFY = { ...FILES, ...CAMPAIGN, ...LEDGER, ...EVENTS, ...ROWS, ...REJUDGED } as const;

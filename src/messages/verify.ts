import type { Template } from './template.ts';

/** Problems in a file of a bundle. A text follows its name: "ledger.jsonl:12: is a second plan". */
const FILES = {
  not_checked: '{why}',
  is_missing: 'is missing',
  report_missing: 'is missing; "touchstone report" writes it',
  seal_missing: 'is missing: the run ended early, or the file was removed',
  not_of_bundle: 'does not belong to a bundle',
  episode_not_started: 'is an episode that the ledger never started',
  attempt_not_started: 'is an attempt that the ledger never started',
  other_seal: 'differs from the seal in the ledger',
  not_in_seal: 'is not in the seal',
  not_as_sealed: 'has changed since it was sealed',
  sealed_blob_missing: 'is missing, but {seal} names it',
  blob_twice: 'is stored twice',
  blob_not_named: 'is a blob that no seal names',
  blob_other_bytes: 'does not match the hash in its name',
  blob_trailing_bytes: 'has bytes after its end',
  other_campaign_hash: 'does not match campaign_hash in seal.json',
  other_ledger_head: 'does not end with ledger_head of seal.json',
  other_episode_count: 'episodes differs from the number of rows that count',
  other_root: 'root does not match the sealed attempts in plan order',
  part_differs: 'the records of {part} do not match its seal_hash',
  signer_differs: 'was not signed by {signer}',
  anchor_differs: 'plan_hash differs from the anchor {anchor}',
  derived_differs: '{place|:differs|other:{place} differs} from the rows',
  line_differs: 'differs from the rows{fields|:|other:: {fields}}',
} as const satisfies Record<string, Template>;

/** Problems in the plan, the pins and the proofs of campaign.json. */
const CAMPAIGN = {
  world_not_live: 'world_kinds states live_web for {name}, but the plan is not live',
  decider_differs: 'deciders wrongly states {decider} for {agent}',
  model_not_of_endpoint: 'models states {kind} for {agent}, which does not fit its name and host',
  model_has_cassette: 'models states {kind} for {agent}, but transcript_hashes has its cassette {cassette}',
  secret_differs:
    '{drawn|true:secret_hash differs from the given secret|other:its instances were not drawn from a secret}',
  draw_differs:
    '{task} does not have the {what|seed:seed that the given secret draws|other:values that its seed draws}',
  proof_not_planned: 'has a proof of {task}, which is not planned',
  proof_differs:
    'the proof of {task} has {what|task_hash:another task_hash|contract_hash:another contract_hash|other:other {what}} than the plan',
  proof_other_semantics: 'the proof of {task} used other versions of assertions than the pins',
} as const satisfies Record<string, Template>;

/** Problems in a ledger whose chain is sound. */
const LEDGER = {
  ledger_no_plan: 'has no record of the plan',
  ledger_no_part: 'does not name its part',
  ledger_part_of_none: 'belongs to a part, but the bundle is not merged',
  ledger_unknown_part: 'belongs to part {part}, which campaign.json does not list',
  ledger_before_plan: 'comes before the plan',
  ledger_other_plan: 'plan_hash differs from campaign.json',
  ledger_other_count: 'episodes differs from the number in the plan',
  ledger_before_campaign: 'is older than campaign.json: the pins were not there before the first episode',
  ledger_second_plan: 'is a second plan',
  ledger_unplanned: 'episode {episode} is not in the plan',
  ledger_other_part: 'episode {episode} belongs to another part',
  ledger_attempt_skipped: 'starts attempt {attempt} after attempt {before}',
  ledger_plan_order: 'starts an episode that comes earlier in the plan',
  ledger_too_many_at_once: 'is one of {open} at once, but the stated maximum is {most}',
  ledger_run_id_twice: 'run_id {run} was used before',
  ledger_ended_before: 'attempt {attempt} has already ended',
  ledger_not_started: 'attempt {attempt} was never started',
  ledger_no_row: 'no row counts for {task} by {agent} through {surface}',
} as const satisfies Record<string, Template>;

/** Contradictions between events, or between them and the plan or the pins. A text completes "events.jsonl…". */
const EVENTS = {
  event_not_next: 'events.jsonl:{seq} does not follow from the event before it',
  event_too_long: 'events.jsonl:{seq} records more time than had passed',
  event_too_short: 'events.jsonl:{seq} records less time than the calls took',
  events_other_task: 'events.jsonl records another task',
  events_other_agent: 'events.jsonl records another agent',
  events_other_surface: 'events.jsonl records another surface',
  events_other_browser: 'events.jsonl records a browser from outside, but the pins name one that Touchstone started',
  events_no_end: 'events.jsonl records neither an end nor a reason why the episode did not begin',
  events_replayed: 'events.jsonl records replayed replies, but the pins state that its model was asked',
  events_not_replayed: 'events.jsonl records no replayed replies, but only those are pinned',
  events_impossible: 'events.jsonl records why the episode did not begin, and also that it began',
  events_other_fault: 'events.jsonl records another fault than the plan draws',
} as const satisfies Record<string, Template>;

const ROWS = {
  row_field_differs: '{field} is not what was recorded: {difference}',
  row_not_from_evidence: 'does not follow from its evidence',
  row_not_valid: 'no row can be made from the record: {why}',
  row_of_unknown_start: 'the ledger does not record its start',
  row_other_run_id: 'run_id belongs to another episode',
  row_not_alone: 'it began before another ended, but one of them claims to have run alone',
  row_other_start: 'started_at differs from the ledger',
  row_other_end: 'ended_at differs from the ledger',
  surface_was_unavailable: 'it ran, but another row states that its surface is unavailable',
  surface_was_available: 'it is unavailable, but another episode ran through its surface',
} as const satisfies Record<string, Template>;

/** Why an episode could not be judged again, or how its judgement differs. */
const REJUDGED = {
  row_missing: 'the plan has this episode, but no row in the bundle counts for it',
  row_unplanned: 'its episode is not in the plan',
  row_counted_twice: 'its episode is counted twice',
  task_hash_differs: 'the task in the plan does not match its task_hash',
  contract_hash_differs: 'the contract in the plan does not match its contract_hash',
  seal_differs: 'seal.json differs from the seal in the ledger',
  sealed_file_differs: '{file}: {problem}',
  no_evidence: 'evidence of the {moment} is missing',
  task_was_valid: 'its task was valid at the start',
  task_was_invalid: 'its task was invalid at the start: {path} was {verdict}',
  address_differs: 'the address at the {moment} differs from the evidence',
  evidence_answer_differs: 'the answer at the {moment} differs from the evidence',
  cell_can_run: 'it is not_applicable, but agent {agent} can run this task',
  outcome_differs: '{field} was recorded as {was}, but is {is}',
  rerun_differs: '{field} was {was}, but is {is} when run again{why|:|other: ({why})}',
} as const satisfies Record<string, Template>;

/** Why an episode cannot run again, or a part was not reproduced. */
const NOT_AGAIN = {
  again_never_ran: 'it never ran: {status}',
  again_broke_down: 'it ended in an infrastructure error, so it has no outcome',
  again_live: 'its world was the live web',
  again_other_browser: 'its browser was not launched by Touchstone',
  again_model: '{agent} is a model',
  again_command: '{agent} is a command',
  again_other_agent: 'agent {agent} is not built in',
  again_other_suite: 'suite {suite} is neither built in nor named',
  again_other_surface: 'surface {surface} is not built in',
  again_surface_unavailable: 'surface {surface} is not available: {why}',
  again_none: 'no episode can be run again',
  again_changed: 'not run, because {why}',
  again_ended_differently: '{count} ended differently',
  again_not_run: '{count} were not run, because the run ended early',
} as const satisfies Record<string, Template>;

export const VERIFY = { ...FILES, ...CAMPAIGN, ...LEDGER, ...EVENTS, ...ROWS, ...REJUDGED, ...NOT_AGAIN } as const;

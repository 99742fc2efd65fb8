import type { Template } from './template.ts';

/** Why a campaign cannot run as requested. */
const CHECKS = {
  resume_keeps_plan: {
    text: '--resume finishes what was planned, so {options} cannot be changed',
    remedy: 'leave out {options}, or start a new campaign without --resume',
  },
  browser_is_running: {
    text: '--browser-endpoint names a browser that is already running, so {options} cannot be chosen',
    remedy: 'leave out {options}',
  },
  browser_named_twice: {
    text: '--browser-endpoint names the same browser twice, but each worker needs its own',
    remedy: 'start another browser, or name this one once',
  },
  too_few_browsers: {
    text: '{workers} workers need {workers} browsers, but --browser-endpoint names {browsers}',
    remedy: 'give --browser-endpoint once for each worker, or --workers {browsers}',
  },
  shard_with_baseline: {
    text: '--baseline needs the whole plan, but --shard runs only a part of it',
    remedy: 'leave out --baseline; "touchstone compare <before> <merged> --gate" compares the merged parts',
  },
  queue_with_browser: {
    text: 'with --queue nothing runs here, so --browser-endpoint would never be used',
    remedy: 'give it to the worker on that machine: touchstone worker --queue <url> --browser-endpoint <url>',
  },
  queue_with_recording: {
    text: '--record-cassette would write on the machines of the workers, so it cannot be used with --queue',
    remedy: 'leave one of them out',
  },
  too_many_shards: {
    text: 'the plan has only {groups} repetitions of tasks to split into {parts} parts',
    remedy: 'split it into at most {groups}',
  },
  shared_server: {
    text: 'an app of {suite} is one server for all episodes (shared: true, or a port of its own), so {workers} workers cannot share it',
    remedy: 'leave out the number of workers',
  },
  shared_server_in_queue: {
    text: 'an app of {suite} is one server for all episodes (shared: true, or a port of its own), so workers on other machines cannot share it',
    remedy: 'leave out --queue',
  },
  times_of_workers: {
    text: 'times can be claimed only if episodes run one at a time on one machine, but {workers} workers are requested',
    remedy: 'leave out --times or --workers',
  },
  times_in_queue: {
    text: 'times can be claimed only if episodes run one at a time on one machine',
    remedy: 'leave out --times or --queue',
  },
  no_primary_claim: {
    text: 'nothing here could become a primary claim:\n{reasons}',
    remedy: 'lift the reasons, or leave out --claim',
  },
  baseline_of_other_run: {
    text: '{file} is for {agent}/{surface} on {suite}, which is not in this run',
    remedy: 'run {suite} with --agent {agent} --surface {surface}, or name another baseline',
  },
} as const satisfies Record<string, Template>;

const RESTORE_SUITE =
  'restore the files of the suite, or start a new campaign; if someone else gave you this bundle, do not trust it';

/** Why the command line, or the campaign file, cannot be planned or resumed. */
const PLANNING = {
  campaign_and_options: {
    text: 'the campaign file {file} states what to run, so {options} cannot be given too',
    remedy: 'write it in {file}, or name a suite and its agents: "touchstone run <suite> --agent <agent>"',
  },
  no_entrant_can_act: { text: 'no entrant can run: {reasons}', remedy: 'name another --agent or --surface' },
  no_suite_named: {
    text: 'no suite is named',
    remedy:
      'name one after the command, for example "basics", or create your own with "touchstone init"; built in: {known}',
  },
  unknown_suite: {
    text: '{folder|true:the folder "{name}" does not exist|other:unknown suite "{name}"}{meant|:|other:; did you mean "{meant}"?}',
    remedy: 'name a built-in suite ({known}) or the folder of your own suite',
  },
  bad_suite_files: {
    text: '{count} {count|1:problem|other:problems} in suite files\n{problems}',
    remedy: 'fix them and run again',
  },
  file_of_package: {
    text: '{file} belongs to the installed package, which is never written to',
    remedy:
      'do this in a clone of Touchstone, or with your own suite; if a proof in the package is stale, install the package again',
  },
  bundle_was_merged: {
    text: '{name} is the result of a merge, and cannot be resumed',
    remedy: 'start a new campaign, or resume one of its parts',
  },
  plan_not_live: { text: 'the campaign does not run on the live web', remedy: 'leave out --live-web' },
  plan_is_live: {
    text: 'the campaign runs on the live web, which a bundle may not open by itself',
    remedy: 'to allow it, run: {line}',
  },
  plan_has_other_task: { text: 'the plan has a task {task} that its suite does not have', remedy: RESTORE_SUITE },
  plan_has_other_fields: {
    text: '{task} is not the same in the plan as in its suite: {fields}',
    remedy: RESTORE_SUITE,
  },
  plan_has_other_fault: {
    text: 'the plan has a fault "{fault}" in {task} that neither that task nor a built-in profile has',
    remedy: 'if you trust the profile, name its file again: {line} --fault <file>',
  },
  suite_not_built_in: {
    text: 'the campaign ran {suites}, which is not built in, and a bundle may not name code to load',
    remedy: 'if you trust that code, name it again: {line}',
  },
  suite_not_named: {
    text: 'the campaign ran the suite {suites}, which is not among those named',
    remedy: 'if you trust its code, name every suite again: {line}',
  },
  entrant_file_not_named: {
    text: 'the campaign ran {names} from a file, and a bundle may not name a program to start',
    remedy: 'if you trust that file, name it again: {line}',
  },
  not_in_campaign: { text: 'the campaign did not run {names}', remedy: 'leave it out' },
  cassette_twice: {
    text: '--cassette replays and --record-cassette records, so they exclude each other',
    remedy: 'leave out one of them',
  },
  no_model_takes_part: {
    text: 'cassettes and prompts are for models, but no agent is one',
    remedy: 'name one with --agent',
  },
  model_name_twice: {
    text: 'two models would have the name {agent} in rows',
    remedy: 'run them in separate campaigns',
  },
  bad_prompt: { text: '{problems}', remedy: 'fix the prompt' },
  no_cassette_folder: {
    text: '--cassette: the folder "{folder}" does not exist',
    remedy: 'record it first with --record-cassette',
  },
  unknown_profile: {
    text: '--fault: unknown profile "{name}"{meant|:|other:; did you mean "{meant}"?}',
    remedy: 'name a file, or choose from {known}',
  },
  bad_profile: { text: '{problems}', remedy: 'fix the file; docs/stress.md describes it' },
  spending_not_asked: {
    text: 'these models cost money, and this is not a terminal, so you cannot be asked',
    remedy: 'add --yes',
  },
  spending_refused: { text: 'not started', remedy: 'answer "y", or add --yes' },
} as const satisfies Record<string, Template>;

const NEW_OUT = 'choose another --out';
const DID_YOU_MEAN = '{meant|:|other:; did you mean "{meant}"?}';
const RESTORE =
  'restore what has changed, or start a new campaign{cause|endpoint:; a model is asked at the <PROVIDER>_BASE_URL of this shell or .env, such as ANTHROPIC_BASE_URL, or at its provider if that is not set|dirty:; "git status" lists the changes in the clone of Touchstone, and new files count too: move them out of it|clean:; the clone of Touchstone had changes or new files when the campaign began, and has none now|other:}';

/** Why a campaign cannot be planned, started, resumed or merged. */
const ERRORS = {
  id_taken: { text: '{file}: the id "{id}" is taken', remedy: 'give it another "id", or the file another name' },
  bad_surface_file: { text: '{problems}', remedy: 'fix the file; docs/surfaces.md describes it' },
  bad_manifest: {
    text: '{file} cannot be used as a NAC3 manifest: {why}',
    remedy: 'name a JSON file with plugin_slug as nac3:<file>',
  },
  unknown_agent: {
    text: `unknown agent "{id}"${DID_YOU_MEAN}`,
    remedy: 'choose from {known}, a model as openai:<model> or openai-compatible:<model>, or name a file of yours',
  },
  unknown_surface: {
    text: `unknown surface "{id}"${DID_YOU_MEAN}`,
    remedy: 'choose from {known}, or name a file of yours',
  },
  plan_empty: { text: '{subject=the plan }has nothing to run', remedy: 'name suites, agents and surfaces' },
  plan_too_large: { text: '{subject=the plan }has {episodes} episodes, more than {most}', remedy: 'split it' },
  suite_twice: {
    text: 'there are two suites "{id}"',
    remedy: 'name each suite once, or give one of them another id in its suite file',
  },
  unknown_task: { text: `unknown task "{names}"${DID_YOU_MEAN}`, remedy: 'choose from {known}' },
  unknown_fault: {
    text: 'unknown fault "{names}"',
    remedy: '{known|:add some with --fault|other:choose from {known}}',
  },
  fault_twice: {
    text: 'two faults of {task} are called "{id}"',
    remedy: 'give one of them another id, or leave out the profile that has it',
  },
  bad_exemplar: { text: '{file} is not a picture: {why}', remedy: 'replace it with a PNG' },
  bad_given_file: { text: 'the file {file} of a task {why}', remedy: 'put it back as it was' },
  given_file_changed: {
    text: 'a file that {task} gives has changed since the run was planned',
    remedy: 'put it back as it was, or begin a new run',
  },
  no_baseline: {
    text: 'the baseline {file} does not exist',
    remedy: 'make it with "touchstone transcripts <bundle> --accept --baseline {file}"',
  },
  bad_baseline: { text: '{problems}', remedy: 'fix the baseline by hand; docs/write-a-task.md describes it' },
  baseline_of_others: {
    text: 'it is for {baseline}, but these transcripts are for {transcripts}',
    remedy: 'name the baseline of that entrant',
  },
  bad_qualification: {
    text: '{problems}',
    remedy: 'make it again with "touchstone qualify", which keeps this one elsewhere',
  },
  qualification_not_moved: { text: '{problems}', remedy: 'move it away, then run "touchstone qualify" again' },
  qualification_of_others: {
    text: '{file} has current proofs of {count} other {count|1:task|other:tasks}, made with {flags}: these trials would replace them',
    remedy: 'add {flags}, or qualify the whole suite, without --task',
  },
  bad_campaign: { text: '{problems}', remedy: 'fix the file; campaigns/protocol-600.yaml shows one' },
  not_a_bundle: {
    text: '{folder} {why|missing:does not exist|unreadable:has no readable campaign.json|other:has a plan that is not the one that was hashed}',
    remedy: 'name a folder that "touchstone run" wrote, or its zip',
  },
  other_format: {
    text: '{folder} is a bundle of format {format}, which {writer} wrote; this version reads only format {own}',
    remedy: 'read it with {writer}, or run its suites again with this version',
  },
  folder_not_writable: { text: '{folder} cannot be written ({why})', remedy: NEW_OUT },
  folder_has_bundle: {
    text: '{folder} already contains a bundle',
    remedy: `${NEW_OUT}{finished|true:|other:, or finish that one with --resume}`,
  },
  folder_not_empty: {
    text: '{folder} is neither empty nor a bundle',
    remedy: `${NEW_OUT}: a folder that does not exist yet, or an empty one`,
  },
  cannot_resume: { text: 'changed since the campaign began: {changes}', remedy: RESTORE },
  cannot_rerun: { text: '{changes}', remedy: 'run it again after restoring these' },
  world_changed: {
    text: 'the files of the world of {suite} changed during the run',
    remedy: 'start a new campaign, since it is unknown which episodes had which files',
  },
  file_vanished: {
    text: '{file} vanished while the files of the app were hashed',
    remedy:
      'if the app does not need it, name it or its folder in "leave_out" of the app; else try again when nothing writes there',
  },
  attempt_lost: {
    text: '{task} by {agent} through {surface} was lost {times} times in a row, most recently because: {why}',
    remedy: 'check the output of its workers; finished episodes are kept, and --resume runs the rest',
  },
  browsers_differ: {
    text: 'the browsers differ: {first} is {one}, and {second} is {other}',
    remedy: 'use browsers of the same build',
  },
  browser_shared: {
    text: '{first} and {second} are the same browser, but each worker needs its own',
    remedy: 'start another browser, or name this one once',
  },
  no_parts: { text: 'no part is named', remedy: 'name the bundle of every part' },
  not_a_part: { text: '{name} is not a part of a campaign', remedy: 'name bundles that were run with --shard' },
  part_twice: {
    text: '{first} and {second} are both part {index} of {of}',
    remedy: 'name each part once: it is unclear which of two runs of the same episodes counts',
  },
  parts_of_two: {
    text: '{first} is one of {of} parts, but {second} is one of {other}',
    remedy: 'name the parts of one split',
  },
  parts_missing: { text: 'missing: {parts}', remedy: 'name the bundle of every part' },
  part_of_other_plan: {
    text: '{second} has a different plan from {first}',
    remedy: 'name parts of the same plan, with the same suites, entrants, iterations, seed and caps',
  },
  part_with_other_pins: {
    text: '{second} has different pins from {first}: {changes}',
    remedy: `run its part again with the same pins; ${RESTORE}`,
  },
  part_rewritten: {
    text: 'campaign.json of {name} was rewritten',
    remedy: 'restore campaign.json as its run left it',
  },
} as const satisfies Record<string, Template>;

export const CAMPAIGN = { ...CHECKS, ...PLANNING, ...ERRORS } as const;

import type { Template } from './template.ts';

/** Other people's data sets: what a record of a run shows, and why a checkout cannot be read. */
export const DATASETS = {
  rows_not_a_list: 'is not a list of rows',
  response_not_a_map: 'the response is not a JSON object',
  record_differs: '{field} is {given}, not {expected}',
  record_lacks: 'no request was sent with {method} to {url}',
  record_must_not_hold: '{count|1:a request was|other:{count} requests were} sent with {method} to {url}; none may be',
  record_missing: '{what|response:the response is missing|other:no request was recorded}',
  record_unreadable: 'the requests cannot be read: {why}',
  record_incomplete: 'the log of requests lacks {parts}, which the check reads',
  record_of_other_goal: 'the goal of the episode is not that of the task',
  no_tagged_tasks: {
    text: 'no task in {bundle} names a task of {dataset}',
    remedy: 'tag each task with the id of its row, such as {dataset}:108, or import it with --overlay',
  },
  site_without_address: 'the address of {sites} is not known',
  expectation_unreadable: '{check} cannot be judged: {why}',

  miniwob_flight: 'is a flight page, and these are not imported',
  miniwob_pays: 'needs a contract: the page pays for {what}',
  miniwob_covered: 'its target {target} is covered by {by}',
  miniwob_not_started: 'did not start: {why}',

  eval_has_turns: 'begins in the middle of a conversation',
  eval_without_call: 'expects no call, which is already true at the start',
  eval_needs_today: 'expects {day}, and its goal does not give the year',
  eval_not_judged: 'expects {what}, which no contract here can judge as the original does',

  infinity_without_end: 'needs a contract: its sanity check has no right end of it',
  infinity_without_change: 'needs a contract: its right end is its start',
  infinity_many_changes: 'needs a contract: its right end differs in {count} places, and a contract can name {most}',
  infinity_not_run: {
    text: '{what|ends:the sanity check|verdicts:a verifier} in {folder} failed:\n{why}',
    remedy: 'name a checkout of the version that docs/datasets.md names',
  },
  infinity_tasks_gone: {
    text: '{app} has no {ids}, for which there are solutions',
    remedy: 'name a checkout of the version that docs/datasets.md names',
  },
  python_missing: {
    text: 'python3 was not found, with which WebArena-Infinity constructs its right ends',
    remedy: 'install Python 3',
  },

  webgames_asks_outside: 'needs a contract: its page asks a service outside of the checkout',
  webgames_not_built: {
    text: '{folder} was not built: it has no dist/index.html',
    remedy: 'build it there: pnpm install && pnpm run build',
  },
  webgames_built_otherwise: {
    text: 'the build lacks passwords of {ids} that the list of tasks and the source have',
    remedy: 'use a checkout of the version in docs/datasets.md, and build it again',
  },

  overlay_malformed: {
    text: 'the overlay cannot be used:\n{problems}',
    remedy: 'mend the lines above; nothing was written',
  },
  overlay_of_suite: {
    text: '{name} is imported as a suite, which takes no overlay',
    remedy: 'leave out --overlay, and write a suite of your own',
  },
  overlay_row_unknown:
    'is not the id of a row; {meant|:tasks.jsonl of an import without --overlay lists the ids|other:did you mean "{meant}"?}',
  overlay_row_drafted: 'already has a contract; remove the row from the overlay',
  overlay_field_of_row: 'is taken from the row; remove it from the overlay',

  rows_malformed: {
    text: '{count|1:a row|other:{count} rows} of the data set cannot be read:\n{problems}',
    remedy: 'name a checkout of the version that docs/datasets.md names, or mend the rows',
  },
  rows_not_found: {
    text: '{place} is not a checkout of {dataset}: it has no {file}',
    remedy: 'name the folder of the checkout',
  },
  unknown_dataset: { text: 'unknown data set "{name}"', remedy: 'choose from {known}' },
  no_task_folders: {
    text: '{folder} has no folder of a task with {file}',
    remedy: 'name a folder with a folder for each task, named by its id, such as runs/108/{file}',
  },
  row_not_in_dataset: {
    text: '{folder}: the data set has no task {id}',
    remedy: 'name each folder by the id of its task',
  },
  sites_unreadable: {
    text: '{file} {problems}',
    remedy:
      'write the addresses of each site as WebArena-Verified does: { "environments": { "__GITLAB__": { "urls": ["http://localhost:8023"] } } }',
  },
} as const satisfies Record<string, Template>;

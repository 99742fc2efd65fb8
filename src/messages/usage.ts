import type { Template } from './template.ts';

const DID_YOU_MEAN = '{meant|:|other:; did you mean "{meant}"?}';

/** Why a command cannot do what was typed. */
export const USAGE = {
  bad_options: { text: '{problems}', remedy: '--help describes every option' },
  unknown_action: { text: 'unknown action "{action}"', remedy: 'write {actions}' },
  question_left: {
    text: 'the question was not answered, and nothing was done',
    remedy: 'run the command again and answer',
  },
  not_writable: { text: '{place} cannot be written ({why})', remedy: 'name another place' },
  bundle_is_packed: {
    text: '{bundle} is packed, but this command writes into the bundle',
    remedy: 'unpack it with "unzip -d <new folder>", name that folder, and pack it again with "touchstone pack"',
  },
  bundle_not_finished: { text: '{bundle} is not finished', remedy: '{advice}' },
  bundle_not_sealed: { text: '{bundle} is not finished, and has no seal to sign', remedy: '{advice}' },
  bundle_does_not_verify: {
    text: '{bundle} does not verify: {problem}',
    remedy:
      'see "touchstone verify {bundle}"{reports|true:; if only reports differ, "touchstone report {bundle}" draws them again|other:}',
  },
  signature_does_not_verify: {
    text: '{bundle} does not verify: {problem}',
    remedy: 'see "touchstone verify"; to sign it again, remove signature.json',
  },
  zip_inside_bundle: { text: '{place} is inside the bundle itself', remedy: 'name a file outside it' },
  shared_episode: {
    text: 'episode {episode} ({what}) is in both {first} and {second}',
    remedy: 'two runs of the same plan have the same episodes: name one of them, or run with another --seed',
  },
  no_such_bundle: {
    text: '{bundle} does not exist',
    remedy: 'name the folder or the zip of a bundle, or leave the name out for the latest; the latest are: {names}',
  },
  nothing_failed: {
    text: 'no task of these suites failed in {bundle}, the latest bundle',
    remedy: 'leave out --last-failed',
  },
  too_few_bundles: {
    text: '{folder} contains {count|0:no bundle|1:only 1 bundle|other:only {count} bundles}',
    remedy: 'make one with "touchstone run", or name the folder or the zip of a bundle',
  },
  unknown_episode: {
    text: `the bundle has no episode "{wanted}"${DID_YOU_MEAN}`,
    remedy: '{has_episodes|true:name one of its tasks: {tasks}; or an agent: {agents}|other:it has no episodes yet}',
  },
  no_bundle_nor_episode: {
    text: '{wanted} {exists|true:is not a bundle|other:does not exist}, and {bundle} has no episode of that name',
    remedy: 'check the path; for the episodes of the bundle, type "touchstone show {bundle}"',
  },
  second_bundle: {
    text: '{second} is a bundle, not an episode',
    remedy: 'to compare the two, type "touchstone compare {bundle} {second}"; to open them side by side, add --serve',
  },
  suite_not_in_campaign: { text: 'the campaign did not run the suite {suites}', remedy: 'leave it out' },
  no_suite_folder: { text: 'no suite was named', remedy: 'name the folder of a suite' },
  bad_secret: {
    text: '--secret-file: {file} {why|short:has fewer than {least} bytes|other:cannot be read ({why})}',
    remedy: 'write a random one with "openssl rand -hex 32 > {file}"',
  },
  nothing_drawn: {
    text: '--secret-file would draw nothing, since no planned task has "draw"',
    remedy: 'add "draw" to a task, or leave out --secret-file',
  },
  other_secret: {
    text: 'the instances of {name} were {from|none:not drawn from a secret|other:drawn from {from} secret}',
    remedy: '{from|none:leave out --secret-file|other:name its file with --secret-file}',
  },
  unknown_prompt: {
    text: `--prompt: unknown prompt "{name}"${DID_YOU_MEAN}`,
    remedy: 'name a file, or choose from {known}',
  },
  no_completion: { text: 'no completion for "{shell}"', remedy: 'name one of {shells}' },
  unknown_app: { text: 'unknown application "{app}"', remedy: 'choose from {known}' },
  store_unknown: {
    text: '--store names neither a folder nor a bucket',
    remedy: 'write it as s3://bucket/prefix, or name a folder',
  },
  worker_without_queue: {
    text: 'a worker needs a queue to take episodes from',
    remedy: 'add --queue redis://host:port',
  },

  // compare, report, show, verify, publish
  gate_needs_two: { text: '--gate compares two bundles', remedy: 'name the one before and the one after' },
  junit_of_tables: {
    text: '--junit writes the episodes of one bundle, not tables',
    remedy: 'name one bundle, without --since and --to',
  },
  claims_and_serve: { text: '--claims and --serve exclude each other', remedy: 'leave out one of them' },
  claims_of_episode: {
    text: '--claims is about the whole bundle, not about {episode} alone',
    remedy: 'leave out {episode}',
  },
  rerun_only: {
    text: 'suites and --seed need --rerun',
    remedy: 'add --rerun, for example --rerun 5%',
  },
  to_without_traces: { text: '--to posts traces', remedy: 'add --format otel, or leave out --to' },
  traces_not_taken: {
    text: 'the collector at {collector} did not take a trace: {why}',
    remedy: 'its address ends in /v1/traces as a rule; all traces are in {out}',
  },
  scores_of_another: {
    text: '{file} has the scores of another campaign',
    remedy: 'name another folder with --to',
  },
  score_of_a_part: {
    text: '{bundle} has {done} of {planned} episodes; a part of a campaign has no score',
    remedy: '{advice}',
  },
  no_commit: {
    text: '{bundle} was run with an installed package, but published scores are named after the commit of a clone',
    remedy: 'run the campaign in a clone of Touchstone',
  },
  rows_of_another_commit: {
    text: '{bundle} has rows of a different commit from the one in its campaign.json',
    remedy: 'do not trust this bundle',
  },

  // qualify and transcripts
  several_surfaces: { text: 'tasks are qualified through one surface', remedy: 'name one with --surface' },
  prompt_without_model: {
    text: '--prompt needs the model of --closed-book',
    remedy: 'name one with --closed-book',
  },
  closed_book: { text: '--closed-book: {why}', remedy: 'docs/models.md names the models, and the key of each' },
  transcript_outside: { text: '{problems}', remedy: 'nothing was written' },
  several_entrants: {
    text: '{flag} names {count}, but transcripts belong to one entrant',
    remedy: 'name one at a time',
  },
  nothing_passed: {
    text: '{agent} passed no episode through {surface} in {bundle}',
    remedy: '{others|:no episode passed through a surface|other:choose from: {others}}',
  },
  task_is_gone: { text: 'the suite {suite} no longer has the task {task}', remedy: 'record it again' },
  baseline_of_several: {
    text: 'a baseline is for one suite, but the bundle has several',
    remedy: 'record one suite at a time',
  },

  // record and record-task
  facsimile_without_web: {
    text: '--facsimile packs files without the web, so {flags} has no effect',
    remedy: 'leave out {flags}',
  },
  world_not_archive: {
    text: 'the world of {file} is not an archive',
    remedy: 'write "world: { kind: archive, archive: web.zip }" in the suite file, or give --out <file>',
  },
  world_is_archive: {
    text: 'the world of {file} is an archive, which has only recorded pages',
    remedy: 'write the task by hand, and record its pages with "touchstone record"',
  },
  no_site: {
    text: '{url} is not on a site of the suite; its sites are {sites}',
    remedy: 'name an address there; for an app without a suite, begin with "touchstone init", which takes its address',
  },
  tasks_named_one_by_one: {
    text: '{file} lists its task files one by one, so a new one would not be found',
    remedy: 'write "tasks: [tasks/*.yaml]" there',
  },
  no_screen: {
    text: 'a window needs a screen (neither DISPLAY nor WAYLAND_DISPLAY is set)',
    remedy:
      'run it on a desktop or under xvfb-run, or {instead|run:leave out --headed|task:name a running browser with --browser-endpoint}',
  },
  watch_excludes: {
    text: '--watch makes a new bundle for each run here, so it cannot be combined with {options}',
    remedy: 'leave out one of them',
  },
  headed_elsewhere: {
    text: '--headed shows full browsers that are started here, so it cannot be combined with {options}',
    remedy: 'leave out one of them',
  },
  task_id_taken: { text: '{place} already has a task "{id}"', remedy: 'give this one another --id' },
  task_file_taken: {
    text: '{place} already exists',
    remedy: 'give the task another --id, or replace that file with --accept',
  },

  // surface try
  server_unavailable: { text: '{file}: {why}', remedy: 'fix the file, or install it' },
  server_failed: {
    text: '{file}: {why}',
    remedy: 'read its message, and correct "args", "env", "ready" or "start_timeout_ms"',
  },

  // doctor
  port_taken: { text: 'another program listens on port {port}', remedy: 'stop it, or give the app another "port"' },
  agent_packages_missing: {
    text: 'not installed from its package.json: {missing}',
    remedy: 'run "npm install --prefix {folder}"',
  },

  // init
  already_begun: {
    text: '{folder} already has a suite, and its files are not overwritten, so {flags} would change nothing',
    remedy: 'change its suite file, or name a new folder',
  },
  second_suite: {
    text: 'there is already a suite in {first}{more|0:|other: (and in {more} more)}, and this would create another next to it',
    remedy:
      'to continue with it, run "touchstone init {typed}", which only writes the missing files; to create another, name its folder: "touchstone init ./{own}"',
  },
  app_needs_folder: {
    text: 'the suite of an app that Touchstone starts needs a folder of its own, inside that of the app',
    remedy: 'go to the folder of the app, and name a new folder there, for example "touchstone init touchstone"',
  },
  bad_state: { text: '--state {problem}', remedy: 'name such a path, or leave out --state' },
  needless_flags: {
    text: 'your app is {app}, which does not use {flags}',
    remedy: 'leave out {flags}, or describe your app with --app',
  },
  app_not_shown: {
    text: '{why}',
    remedy: '{remedy=correct --app}; nothing was written; with --heading, init does not start the app',
  },
  app_silent: { text: 'no server answers at {address}', remedy: 'start it, or correct --app' },
  start_page_refused: {
    text: '{url} was answered with {status}',
    remedy: 'name the path of a page with --start, for example --start /login',
  },
  start_page_empty: {
    text: '{url} has neither a heading (h1) nor a title',
    remedy: 'name the path of a page that has one with --start',
  },
  start_page_failed: { text: '{url} cannot be judged: {why}', remedy: 'correct the app' },
  not_an_address: { text: '"{address}" is not an address', remedy: 'write one such as http://localhost:3000' },
} as const satisfies Record<string, Template>;

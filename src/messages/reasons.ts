import type { Template } from './template.ts';

const WHERE = 'in {all|true:every episode|other:{count} of {of} episodes}';

/**
 * Reasons why a claim cannot be made, and how to lift each. `plan` shows them before a run and reports after it, so each has to
 * be true at both times. A text completes "No claim, because …"; a remedy completes "To lift it: …".
 */
export const REASONS = {
  no_episodes: {
    text: 'there are no episodes',
    remedy: 'run the campaign',
  },
  harness_mode: {
    text: 'mode {modes} tests only the harness',
    remedy: 'run a model: solutions, transcripts, controls and fakes only check the harness',
  },
  stand_in_mode: {
    text: 'the world is a {modes}: a stand-in for the real application or site',
    remedy: 'run on real applications, or record the web with touchstone record and qualify the suite on the recording',
  },
  diagnostic_axis: {
    text: '{axis} (axis {letter}) explains how tasks are done, not which entrant completes more',
    remedy: 'rank by complete tasks passed',
  },
  no_fault: {
    text: 'no fault fires in a task that is passed without it, so every episode is void',
    remedy: 'use tasks that the entrant passes without faults, and faults that fire in them',
  },
  no_login: {
    text: 'no task behind a login is completed',
    remedy: 'use a task behind a login that the entrant can pass',
  },
  not_judged: {
    text: `${WHERE}, the final verdict is missing`,
    remedy: 'run the campaign again with a stable browser, world and provider',
  },
  other_contracts: {
    text: 'entrants ran different versions of a task or contract: {tasks}',
    remedy: 'run all entrants on one version of each task, in one campaign',
  },
  watched: {
    text: 'with --headed or --slow, the run differs from others in browser and pace',
    remedy: 'leave out --headed and --slow',
  },
  cells_missing: {
    text: 'planned episodes of {entrants} are missing{split|true: (an entrant split by NAC3 manifest never has all of them)|other:}',
    remedy: 'install what is unavailable and finish the campaign with touchstone run --resume',
  },
  version_unknown: {
    text: `${WHERE}, the surface or the app reports no version`,
    remedy: 'use a surface and an app that report their versions',
  },
  version_changed: {
    text: 'versions or tool lists changed during the campaign ({count}): {changes}',
    remedy: 'run everything again with one version of each',
  },
  browser_not_ours: {
    text: `${WHERE}, the browser is not one that Touchstone launched`,
    remedy: 'leave out --browser-endpoint',
  },
  model_not_pinned: {
    text: `${WHERE}, no model with a pinned id, temperature and prompt decides`,
    remedy:
      'use a model whose id, temperature and prompt can be pinned; for an agent that is a command or drives the browser itself this cannot be lifted, since its model, if any, cannot be observed',
  },
  model_not_read: {
    text: `${WHERE}, no reply names the model`,
    remedy: 'use an endpoint whose replies name the model',
  },
  not_vendor_endpoint: {
    text: `${WHERE}, no model is called at its provider's own endpoint`,
    remedy:
      "call the model at its provider's own endpoint; for an agent that is a command or drives the browser itself this cannot be lifted, since its calls cannot be observed",
  },
  budget_not_pinned: {
    text: `${WHERE}, no cap on {caps} is pinned`,
    remedy: 'cap the turns, tokens and cost of an episode, in the tasks or in a campaign file',
  },
  agent_not_kept_apart: {
    text: `${WHERE}, the agent is not known to be confined to the gateway`,
    remedy: 'run it where Bubblewrap works; touchstone doctor reports whether it does',
  },
  browser_not_kept_apart: {
    text: `${WHERE}, the browser is not in a sandbox: its own pages could show files and ports of the machine`,
    remedy: 'run it where Bubblewrap works; touchstone doctor reports whether it does',
  },
  rival_not_kept_apart: {
    text: 'episodes of {rivals} run at the same time and are not confined: they can reach the browsers and apps of the others',
    remedy: 'run them without --workers, or in separate campaigns',
  },
  too_few_repetitions: {
    text: 'the task with the fewest repetitions has {fewest}, and {least} are needed',
    remedy: 'raise --iterations to the number needed',
  },
  one_sided: {
    text: '{percent} % of the episodes of one entrant cannot be compared: {cause|archive:the archive lacks more for one entrant than for the other (off_archive), or the episode is void for the other|void:they are void for the other}',
    remedy: 'compare them on tasks that both pass without faults; add the missing requests to the archive',
  },
  too_few_entrants: {
    text: 'a comparison needs {least} entrants',
    remedy: 'name two entrants',
  },
  live_web: {
    text: `${WHERE}, pages come from the live web, which changes and on which no task is proved`,
    remedy: 'record the web with touchstone record, qualify the suite on the recording, and leave out --live-web',
  },
  not_qualified: {
    text: `${WHERE}, the task has no current proof that it qualifies`,
    remedy: 'prove its tasks with touchstone qualify',
  },
  trivial_task: {
    text: 'a control passed these tasks in their proofs: {tasks}',
    remedy: 'change the task until no control passes it, or leave it out',
  },
  thin_proof: {
    text: 'the proofs of these tasks are thin, since too little was tried: {tasks}',
    remedy: 'write what touchstone qualify lists for each of them, and qualify them again',
  },
  dom_alone_after_script: {
    text: `${WHERE}, a script of the entrant could have written the text that made it pass`,
    remedy: 'judge what no script in the page can write: app_state or network',
  },
  other_qualification: {
    text: 'entrants ran on different proofs of a task: {tasks}',
    remedy: 'run all entrants on one proof of each task, in one campaign',
  },
  no_clean_commit: {
    text: 'the commit of Touchstone is unknown, or its clone has uncommitted changes',
    remedy: 'run it in a clone of Touchstone with everything committed',
  },
  uneven_reruns: {
    text: 'the share of repeated attempts differs by {points} points between entrants: {shares}',
    remedy: 'run the campaign once, without interrupting it',
  },
  many_reruns: {
    text: 'more than {most} % of the episodes were attempted again: {shares}',
    remedy: 'run the campaign once, without interrupting it',
  },
  ran_at_once: {
    text: '{cause|parts:its parts may run on different machines|other:other episodes run at the same time}',
    remedy: 'run it with --times: in one piece on one machine, one episode at a time',
  },
  small_parts: {
    text: 'it is merged from {parts} parts but planned in {iterations} {iterations|1:repetition|other:repetitions}: a part smaller than a repetition could be run again until its result is good',
    remedy: 'split the plan into as many parts as it has repetitions, or fewer',
  },
  not_verified: {
    text: 'this view does not verify the bundle',
    remedy: 'verify the bundle with touchstone verify, or use show --claims',
  },
  does_not_verify: {
    text: 'the bundle does not verify',
    remedy:
      'if it was interrupted, finish it with touchstone run --resume; otherwise touchstone verify shows what was changed; run it again',
  },
} as const satisfies Record<string, Template>;

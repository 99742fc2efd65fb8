import type { Row } from '../bundle/row.ts';
import type { QualifyListener, TrialFacts } from '../qualify/listener.ts';
import { MADE_ROUTES } from '../qualify/made-routes.ts';
import { followsSolution } from '../qualify/trials.ts';
import { nameOfInstance } from '../task/instance.ts';
import { colours } from './colours.ts';
import { counted } from '../report/numbers.ts';
import { statusText } from '../report/roles.ts';
import { cutTo } from './layout.ts';
import { whyNotDone } from './progress-printer.ts';
import type { Terminal } from './terminal.ts';

/** Which ends are correct is known only after all trials. */
const CHECKED_LATER =
  'a changed solution that passes is correct if it ends as the solution does, which is checked after all trials';

/** Prints what will be tried and how long it will take, and then a line for each trial. */
export function progressOn(suite: string, terminal: Terminal): QualifyListener {
  let total = 0;
  let isNoted = false;
  const hopeless = new Set<string>();
  return {
    notUsed: (task, problem) => terminal.note(`${task}: stored trials are not used: ${problem}`),
    begun({ proved, tried, stored, left }) {
      total = left.trials;
      if (proved.length > 0) terminal.note(`${suite}: ${counted(proved.length, 'task')} proved already`);
      if (tried.length === 0) return;
      const known = stored === 0 ? '' : `; ${stored} made before are judged again`;
      const what = `${counted(tried.length, 'task')}, ${counted(total, 'trial')} to be made${known}`;
      terminal.note(`${suite}: ${what}; ${total === 0 ? 'no browser is needed' : timeOf(left.ms)}`);
    },
    finished(row, left, facts) {
      const { task, instance, agent, status } = row;
      if (status === 'not_applicable') return;
      const name = nameOfInstance(task, instance);
      const warning = warningOf(row, facts);
      if (warning !== null) terminal.note(colours.yellow(`warning: ${name}: ${warning}`));
      const place = `${String(total - left.trials).padStart(String(total).length)}/${total}`;
      const line = `${name}  ${trialText(agent)}  ${statusOf(row)}  ${outcomeText(row, facts)}`.trimEnd();
      terminal.note(
        `${colours.dim(place)}  ${line}  ${colours.dim(left.trials === 0 ? '' : timeOf(left.ms))}`.trimEnd(),
      );
      if (isFailedSolution(row) && !hopeless.has(name)) {
        hopeless.add(name);
        terminal.note(
          colours.yellow(
            `${name}: its solution failed a run, so it cannot qualify as it stands; Ctrl-C keeps what was tried`,
          ),
        );
      }
      if (isNoted || !isPerturbed(agent) || status !== 'passed') return;
      isNoted = true;
      terminal.note(colours.dim(CHECKED_LATER));
    },
    leftOut(task, count) {
      terminal.note(
        `${task}: the solution never passed: ${counted(count, 'other trial was', 'other trials were')} not made`,
      );
    },
  };
}

function warningOf({ agent, status, tool_errors: errors }: Row, { failedStep }: TrialFacts): string | null {
  if (status !== 'passed' || errors === null || errors === 0 || isPerturbed(agent)) return null;
  const which = failedStep ?? `${counted(errors, 'step')} of it failed`;
  return `${agent} passed although ${which}: leave such a step out, or fix it`;
}

function isFailedSolution({ agent, status }: Row): boolean {
  return /^reference(-\d+)?$/.test(agent) && status !== 'passed' && status !== 'infra_error';
}

/** Explains the name of a trial. */
export function trialText(agent: string): string {
  if (agent === 'teleport') return 'teleport (straight to the last address)';
  if (agent === 'quitter') return 'quitter (gives up at once)';
  return agent === 'null-2' ? 'null-2 (does nothing once more, to see what changes by itself)' : agent;
}

const MAX_COLUMNS_OF_WHAT = 72;

/** Words the status as `show` does. A changed solution or made route ends early, without fault, at a step that cannot be done. */
function statusOf(row: Row): string {
  const { agent, status } = row;
  if (status === 'agent_error' && isPerturbed(agent)) return 'cut short';
  if (status === 'agent_error' && isMadeRoute(agent)) return 'skipped';
  const mustNotFail = isMadeRoute(agent) || followsSolution(agent);
  return mustNotFail || (isNearMiss(agent) && status !== 'failed') ? status : statusText(row);
}

/** Describes what a trial did, and its outcome if that is unexpected. */
export function outcomeText(row: Row, facts: TrialFacts): string {
  const does = facts.does === null ? null : cutTo(MAX_COLUMNS_OF_WHAT, facts.does);
  return [does, whyText(row, facts)].filter((part) => part !== null && part !== '').join(': ');
}

/** Explains a failure only for trials that should have passed, and an early end for those that should have reached theirs. */
function whyText(row: Row, { failedStep }: TrialFacts): string | null {
  const { agent, decider, status, detail } = row;
  if (status === 'passed') return null;
  if (failedStep !== null || decider === 'reference') return failedStep ?? whyNotDone(row);
  if (status === 'infra_error' || isNearMiss(agent)) return detail;
  return status === 'agent_error' && detail !== null ? cutTo(MAX_COLUMNS_OF_WHAT, detail) : null;
}

function isNearMiss(agent: string): boolean {
  return /^near-miss-\d+$/.test(agent);
}

function isMadeRoute(agent: string): boolean {
  return MADE_ROUTES.some((id) => id === agent);
}

/** Whether a trial follows a changed solution. */
function isPerturbed(agent: string): boolean {
  return /^perturbed-\d+$/.test(agent);
}

function timeOf(ms: number | null): string {
  if (ms === null) return 'the first trial will show how long it takes';
  const seconds = Math.max(1, Math.round(ms / 1000));
  return `about ${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left`;
}

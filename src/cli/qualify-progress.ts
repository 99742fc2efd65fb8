import type { Row } from '../bundle/row.ts';
import type { QualifyListener, TrialFacts } from '../qualify/listener.ts';
import { nameOfInstance } from '../task/instance.ts';
import { colours } from './colours.ts';
import { counted } from '../report/numbers.ts';
import { cutTo } from './layout.ts';
import { whyNotDone } from './progress-printer.ts';
import type { Terminal } from './terminal.ts';

/** Which ends are right is known when all trials are there: until then a changed solution that passes is no alarm. */
const NOT_WRONG_YET =
  'a changed solution that passes is right if it ends as the solution does, which is checked after all trials';

/** Says beforehand what is tried and how long it will take; then one line for each trial that its task has a use for. */
export function progressOn(suite: string, terminal: Terminal): QualifyListener {
  let total = 0;
  let isNoted = false;
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
      const line = `${name}  ${trialText(agent)}  ${status}  ${outcomeText(row, facts)}`.trimEnd();
      terminal.note(
        `${colours.dim(place)}  ${line}  ${colours.dim(left.trials === 0 ? '' : timeOf(left.ms))}`.trimEnd(),
      );
      if (isNoted || !isPerturbed(agent) || status !== 'passed') return;
      isNoted = true;
      terminal.note(colours.dim(NOT_WRONG_YET));
    },
    leftOut(task, count) {
      const others = count === 1 ? 'the other trial was' : `the other ${count} trials were`;
      terminal.note(`${task}: the solution never passed: ${others} not made`);
    },
  };
}

/** Warns of a trial that passed although a step of it failed, where its author wrote that step: near-misses and controls do not pass. */
function warningOf({ agent, status, tool_errors: errors }: Row, { failedStep }: TrialFacts): string | null {
  if (status !== 'passed' || errors === null || errors === 0 || isPerturbed(agent)) return null;
  const which = failedStep ?? `${counted(errors, 'step')} of it failed`;
  return `${agent} passed although ${which}: leave such a step out, or fix it`;
}

/** Glosses the name of a trial, for whoever has not read what is tried. */
export function trialText(agent: string): string {
  if (agent === 'teleport') return 'teleport (straight to the last address)';
  if (agent === 'quitter') return 'quitter (gives up at once)';
  return agent === 'null-2' ? 'null-2 (does nothing once more, to see what changes by itself)' : agent;
}

/** Columns that the words for what a trial does take at most. */
const MOST_OF_DEED = 72;

/** Says of a trial whose name does not tell it what it does, and what came of it that is news; not yet {@link printable}. */
export function outcomeText(row: Row, facts: TrialFacts): string {
  const does = facts.does === null ? null : cutTo(MOST_OF_DEED, facts.does);
  return [does, whyText(row, facts)].filter((part) => part !== null && part !== '').join(': ');
}

/** Only of who should have passed is it news what was expected and what came, and of who should have come to an end why it did not. */
function whyText(row: Row, { failedStep }: TrialFacts): string | null {
  const { agent, decider, status, detail } = row;
  if (status === 'passed') return null;
  if (failedStep !== null || decider === 'reference') return failedStep ?? whyNotDone(row);
  return status === 'infra_error' || /^near-miss-\d+$/.test(agent) ? detail : null;
}

/** Whether a trial is of a solution that the command itself has changed. */
function isPerturbed(agent: string): boolean {
  return /^perturbed-\d+$/.test(agent);
}

function timeOf(ms: number | null): string {
  if (ms === null) return 'the first trial will show how long it takes';
  const seconds = Math.max(1, Math.round(ms / 1000));
  return `about ${seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left`;
}

import { AGENTS } from '../agent/built-in.ts';
import { isFinished, type Report } from '../report/report.ts';
import type { BaselineGate } from './baseline-gate.ts';
import { counted } from '../report/numbers.ts';
import { EXIT, type ExitCode } from './exit-code.ts';

/** Whether a run came to what it had to come to: how it exits, and why in words. */
export interface Gates {
  exit: ExitCode;
  words: string;
}

/**
 * Controls are meant to fail, everyone else to pass, but for baselines, which lie where they lie; and whoever was asked for
 * must have run at all.
 */
export function gatesOf(report: Report, baseline: BaselineGate | null = null): Gates {
  if (!isFinished(report)) return { exit: EXIT.infrastructure, words: 'open: the campaign is not complete' };
  const broken = report.episodes.filter(({ status }) => status === 'infra_error').length;
  if (broken > 0) {
    return {
      exit: EXIT.infrastructure,
      words: `open: ${counted(broken, 'episode')} ${broken === 1 ? 'has' : 'have'} no result (infra_error)`,
    };
  }
  const ofBaseline = baseline?.problems.length ?? 0;
  const unmet = [
    ...report.entrants.flatMap((entrant) => problemOf(entrant) ?? []),
    ...(ofBaseline === 0 ? [] : [`${counted(ofBaseline, 'task')} of the baseline`]),
  ];
  // A bundle that does not verify meets no gate, whatever its figures say.
  if (doesNotVerify(report)) unmet.push('the bundle does not verify');
  if (unmet.length > 0) return { exit: EXIT.gateNotMet, words: `not met: ${unmet.join('; ')}` };
  return { exit: EXIT.done, words: 'all met' };
}

export function doesNotVerify({ claims }: Report): boolean {
  return claims.entrants.some(({ aggregate }) => aggregate.reasons.some(({ code }) => code === 'does_not_verify'));
}

function problemOf({ agent, surface, episodes, passed }: Report['entrants'][number]): string | null {
  const name = `${agent}/${surface}`;
  const decider = AGENTS.find(({ id }) => id === agent)?.decider;
  if (decider === 'control') {
    return passed === 0 ? null : `the control ${name} passed ${counted(passed, 'episode')}, but must pass none`;
  }
  if (episodes === 0) return `${name} could run nothing`;
  return passed === episodes || decider === 'baseline'
    ? null
    : `${name} passed ${passed} of ${counted(episodes, 'episode')}`;
}

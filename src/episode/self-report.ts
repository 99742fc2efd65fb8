import type { OwnUsage, AgentReport } from '../agent/agent.ts';
import { shortened } from '../messages/printable.ts';

/** The figures reported by an agent that drives the browser itself. Null: not reported. */
export interface SelfReport {
  steps: number;
  toolErrors: number;
  modelCalls: number;
  tokensIn: number | null;
  tokensOut: number | null;
  tokensCached: number | null;
  costUsd: number | null;
  model: string | null;
}

export const NOTHING_REPORTED: Readonly<SelfReport> = {
  steps: 0,
  toolErrors: 0,
  modelCalls: 0,
  tokensIn: null,
  tokensOut: null,
  tokensCached: null,
  costUsd: null,
  model: null,
};

export function addUp(
  reported: SelfReport,
  { inputTokens, outputTokens, cachedTokens, costUsd, model }: OwnUsage,
): void {
  reported.modelCalls += 1;
  reported.tokensIn = sum(reported.tokensIn, inputTokens);
  reported.tokensOut = sum(reported.tokensOut, outputTokens);
  reported.tokensCached = sum(reported.tokensCached, cachedTokens);
  reported.costUsd = sum(reported.costUsd, costUsd);
  reported.model = model ?? reported.model;
}

function sum(total: number | null, more: number | null): number | null {
  return more === null ? total : (total ?? 0) + more;
}

/** Most characters quoted of an answer or a step, and of the printed lines. */
const MAX = { word: 200, printed: 400 };
const MAX_LINES = 3;

/** Keeps the last words of an agent that drives the browser itself, in case it never reports that it is done. */
export class LastWords {
  #answer: string | null = null;
  #steps = 0;
  #step: string | null = null;
  #printed = '';

  take(report: AgentReport): void {
    switch (report.kind) {
      case 'answered':
        this.#answer = 'value' in report.answer ? JSON.stringify(report.answer.value) : 'that it is not possible';
        break;
      case 'step':
        this.#steps += 1;
        this.#step = `${report.tool} ${JSON.stringify(report.args)}`;
        break;
      case 'printed':
        this.#printed = lastLines(report.text);
        break;
      case 'begun':
      case 'isolation':
      case 'ended':
      case 'usage':
    }
  }

  /** The words in a sentence, with the secrets still in it. */
  get text(): string {
    const step = this.#step === null ? '' : `, ${shortened(this.#step, MAX.word)}`;
    return [
      this.#answer === null
        ? 'it never reported that it was done'
        : `it had answered ${shortened(this.#answer, MAX.word)}, which does not count, as it never reported that it was done`,
      this.#step === null ? 'it had reported no step' : `the last step that it reported was step ${this.#steps}${step}`,
      ...(this.#printed === '' ? [] : [`it printed last: ${this.#printed}`]),
    ].join('; ');
  }
}

function lastLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const last = lines.slice(-MAX_LINES).join(' / ');
  return last.length > MAX.printed ? `…${last.slice(-MAX.printed)}` : last;
}

import type { AgentReport } from '../agent/agent.ts';
import { shortened, wellFormed } from '../contract/strings.ts';

/** Most characters of an answer or a step, and of what was printed last: the agent writes them. */
const MOST = { word: 200, printed: 400 };
/** Most lines of what was printed last. */
const MAX_LINES = 3;

/** Keeps the last words of an agent that drives itself, for when its time is up before it has said that it is done. */
export class LastSaid {
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
      case 'last_word':
      case 'usage':
    }
  }

  /** Says what is known of it; its secrets are still in it. */
  get words(): string {
    const never = 'never said that it was done';
    const step = this.#step === null ? '' : `, ${shortened(this.#step, MOST.word)}`;
    return [
      this.#answer === null
        ? `it ${never}`
        : `it had answered ${shortened(this.#answer, MOST.word)}, which does not count, as it ${never}`,
      this.#step === null
        ? 'it had reported no step'
        : `the last step that it reported was its step ${this.#steps}${step}`,
      ...(this.#printed === '' ? [] : [`it printed last: ${this.#printed}`]),
    ].join('; ');
  }
}

function lastLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const last = lines.slice(-MAX_LINES).join(' / ');
  return last.length > MOST.printed ? `…${wellFormed(last.slice(-MOST.printed))}` : last;
}

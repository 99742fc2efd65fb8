import { finishRow, Row } from '../../src/bundle/row.ts';
import type { FiguredRow } from '../../src/claim/figured-row.ts';
import type { FactsByAxis } from '../../src/claim/claims.ts';
import type { ClaimFacts, Question, TaskFacts } from '../../src/claim/claim-facts.ts';
import { cellOf } from '../../src/claim/group.ts';
import { ofTask, SAMPLE } from '../bundle/sample-row.ts';

export const FIRST = { agent: 'first', surface: 'aria' };
export const SECOND = { agent: 'second', surface: 'aria' };
export const COMPARISON: Question = { kind: 'comparison', axis: 'task_completion', entrants: [FIRST, SECOND] };

// Figures ask for no hash, so rows are made once and copied.
const FAILURE = finishRow({ ...SAMPLE, faults: [], recovered: null });
const PASS = finishRow({ ...FAILURE, status: 'passed', goal_verdict: 'pass', failed_contract: null });
const MODEL = { model_id: 'vendor/model-1', temperature: 0, prompt_hash: '6'.repeat(64) };

interface Size {
  templates?: number;
  repetitions?: number;
  /** The first entrant passes all repetitions of these templates, the second none. */
  won?: number;
}

/** Facts of two entrants that bar no claim. */
export function eligibleFacts({ templates = 20, repetitions = 10, won = 0 }: Size = {}): ClaimFacts {
  const rows: FiguredRow[] = [];
  for (const entrant of [FIRST, SECOND]) {
    for (let at = 0; at < templates * repetitions; at += 1) {
      const task = at % templates;
      const passes = entrant === FIRST && task < won;
      const identity = { ...entrant, ...ofTask(`task-${task}`), iteration: Math.floor(at / templates) };
      rows.push({ ...(passes ? PASS : FAILURE), ...identity });
    }
  }
  return {
    rows,
    voided: [],
    oneSided: [],
    reaching: [],
    tasks: new Map(),
    plan: { entrants: [FIRST, SECOND], episodes_each: templates * repetitions },
    pins: { bench_commit: 'abc123', bench_dirty: false, models: { first: MODEL, second: MODEL } },
    verified: true,
  };
}

export function completionOf(facts: ClaimFacts): FactsByAxis {
  return { task_completion: facts, fault_recovery: null, authentication: null };
}

/** The same with every row edited, or only those of one entrant. */
export function withRows(facts: ClaimFacts, edit: Partial<Row>, only?: string): ClaimFacts {
  const rows = facts.rows.map((row) => (only === undefined || row.agent === only ? edited(row, edit) : row));
  return { ...facts, rows };
}

export function attemptedAgain(facts: ClaimFacts, each: number): ClaimFacts {
  const seen = new Map<string, number>();
  const rows = facts.rows.map((row) => {
    const count = (seen.get(row.agent) ?? 0) + 1;
    seen.set(row.agent, count);
    return count > each ? row : edited(row, { attempt: 2, retries: 1 });
  });
  return { ...facts, rows };
}

/** Edits a row; the first row of each edit is checked, since all are the same. */
function edited(row: FiguredRow, edit: Partial<Row>): FiguredRow {
  const changed = { ...row, ...edit };
  if (!SOUND.has(edit)) finishRow(Row.parse(changed));
  SOUND.add(edit);
  return changed;
}

const SOUND = new WeakSet<Partial<Row>>();

export function withTaskFacts(facts: ClaimFacts, edit: Partial<TaskFacts>): ClaimFacts {
  const known = {
    rests_on_dom_alone: false,
    trivial_by: [],
    is_thin: false,
    waivers: [],
    perturbed: { judged: 18, passed: 0 },
    least_repetitions: 0,
    ...edit,
  };
  return { ...facts, tasks: new Map(facts.rows.map((row) => [cellOf(row), known])) };
}

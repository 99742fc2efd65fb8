import { finishRow, type Row } from '../../../src/bundle/row.ts';
import type { Report } from '../../../src/report/report.ts';
import { SAMPLE } from '../../bundle/sample-row.ts';
import { drawnReport } from '../drawn-report.ts';

const AGENTS = ['sonnet', 'haiku', 'mini'];
const SURFACES = ['nac3', 'app-mcp', 'dom'];
const TASKS = ['add_monitor', 'cancel_oldest', 'create_invoice', 'fix_monitor'];
const PASSED = { status: 'passed', goal_verdict: 'pass', failed_contract: null, detail: null } as const;
const BROKEN = { status: 'infra_error', stop: 'infra_error', declared_done: false } as const;

/**
 * A report of nine entrants on four tasks. What came of an episode follows from its place, so that every part of a page
 * has something to show: failures, damage, phantoms, unmeasured and unknown values.
 */
export function wideReport(iterations: number): Report {
  const entrants = AGENTS.flatMap((agent) => SURFACES.map((surface) => ({ agent, surface })));
  const rows: Row[] = [];
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    for (const task of TASKS) {
      for (const entrant of entrants) {
        const at = rows.length;
        rows.push(finishRow({ ...SAMPLE, ...entrant, ...outcomeOf(at, entrant), ...identity(at, iteration, task) }));
      }
    }
  }
  return drawnReport(rows.length, rows, entrants);
}

function identity(at: number, iteration: number, task: string): Partial<Row> {
  return { episode_id: at.toString(16).padStart(32, '0'), plan_index: at, iteration, task, suite: 'protocols' };
}

function outcomeOf(at: number, { agent, surface }: { agent: string; surface: string }): Partial<Row> {
  const chance = (at * 7919) % 101;
  const strength = 95 - AGENTS.indexOf(agent) * 22 - SURFACES.indexOf(surface) * 9;
  const effort = {
    wall_ms: 2_000 + AGENTS.indexOf(agent) * 900 + SURFACES.indexOf(surface) * 3_100 + chance * 10,
    cost_usd: agent === 'mini' ? 0.0011 : 0.012 + SURFACES.indexOf(surface) * 0.009,
    final_url: `http://invoices.localhost/invoices/${at}`,
  };
  if (chance === 100) return { ...effort, ...BROKEN };
  if (chance < strength) return { ...effort, ...PASSED, ...targetsOf(surface, chance) };
  return { ...effort, ...targetsOf(surface, chance), guard_verdict: chance > 90 ? 'fail' : 'pass' };
}

function targetsOf(surface: string, chance: number): Partial<Row> {
  if (surface === 'app-mcp') {
    return { hallucination: null, null_reasons: { hallucination: 'a tool takes free text, so no target can be told' } };
  }
  if (surface === 'dom')
    return { hallucination: chance > 60 ? 'reached_succeeded' : chance > 40 ? 'reached_failed' : 'none' };
  return { hallucination: chance > 90 ? 'filtered' : 'none' };
}

import type { JsonObject } from '../contract/json.ts';
import { isPhantom, type TargetClass, targetClass, type TargetReport } from '../task/target.ts';
import type { ToolCall, ToolDefinition, ToolReply } from '../task/tool.ts';

/** The target of one call; null if it had none. */
export type TargetEntry = TargetReport | null;

/** Finds the tool and arguments of a call that no list or schema offers, by the same rule for every surface. */
export function inventedBy({ tool, args }: ToolCall, tools: readonly ToolDefinition[]): string[] {
  const offered = tools.find(({ name }) => name === tool);
  if (offered === undefined) return [`tool ${tool}`.slice(0, MAX_LENGTH)];
  const properties = objectAt(offered.input_schema, 'properties') ?? {};
  const invented = Object.entries(args).flatMap(([name, value]) => {
    if (!Object.hasOwn(properties, name)) return [name];
    const listed = objectAt(properties, name)?.['enum'];
    return Array.isArray(listed) && !listed.includes(value) ? [`${name}: ${JSON.stringify(value)}`] : [];
  });
  return invented.slice(0, MAX_INVENTED).map((text) => text.slice(0, MAX_LENGTH));
}

/** Most invented arguments that are kept, and most characters of each. */
const MAX_INVENTED = 20;
const MAX_LENGTH = 200;

/** Joins the target that a surface reports with what the call itself invented. */
export function ledgerEntry(call: ToolCall, tools: readonly ToolDefinition[], reply: ToolReply): TargetEntry {
  const invented = inventedBy(call, tools);
  const reported = reply.target;
  if (invented.length === 0) return reported === undefined ? { untold: SAYS_NOTHING } : reported;
  if (reported === undefined || reported === null || 'untold' in reported)
    return { ...NO_TARGET, dispatched: reply.ok, invented };
  return { ...reported, invented: [...invented, ...reported.invented] };
}

const SAYS_NOTHING = 'the surface does not say what its calls aim at';
const NO_TARGET = { shown: true, shown_before: false, matched_then: null, matched_now: null, actionable: null };

/** The sum of an episode's targets. Null: unknown, for the reason in `why`. */
export interface TargetFigures {
  classes: Partial<Record<TargetClass, number>> | null;
  hallucination: 'none' | 'filtered' | 'reached_failed' | 'reached_succeeded' | null;
  why: string | null;
}

/**
 * Counts the classes of all actions of an attempt. An attempt with phantoms is `filtered` if none was sent to the page; otherwise it
 * failed, or passed despite them.
 */
export function targetFigures(entries: readonly TargetEntry[], passed: boolean): TargetFigures {
  const actions = entries.filter((entry) => entry !== null).map(judged);
  const phantoms = actions.filter((action) => action.class !== null && isPhantom(action.class));
  const reached = phantoms.some(({ dispatched }) => dispatched);
  const why = actions.find((action) => action.why !== null)?.why ?? null;
  const worst = passed ? 'reached_succeeded' : 'reached_failed';
  // An unknown target does not change the worst result.
  if (why !== null) return { classes: null, hallucination: reached ? worst : null, why };
  const hallucination = reached ? worst : phantoms.length > 0 ? 'filtered' : 'none';
  return { classes: counted(actions), hallucination, why };
}

interface JudgedAction {
  class: TargetClass | null;
  dispatched: boolean;
  /** Why it has no class. */
  why: string | null;
}

function judged(report: TargetReport): JudgedAction {
  if ('untold' in report) return { class: null, dispatched: false, why: report.untold };
  const found = targetClass(report);
  return { class: found, dispatched: report.dispatched, why: found === null ? NO_EFFECT : null };
}

const NO_EFFECT = 'why an action had no effect is not known';

function counted(actions: readonly JudgedAction[]): Partial<Record<TargetClass, number>> {
  const counts: Partial<Record<TargetClass, number>> = {};
  for (const action of actions) if (action.class !== null) counts[action.class] = (counts[action.class] ?? 0) + 1;
  return counts;
}

function objectAt(holder: JsonObject, name: string): JsonObject | null {
  const value = holder[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

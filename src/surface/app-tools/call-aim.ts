import { EARLIER_VIEWS, type TargetReport, type TargetSight } from '../../task/target.ts';
import type { ToolCall, ToolDefinition, ToolReply } from '../../task/tool.ts';
import { inventedChoices, sortsIn } from './choices.ts';
import { Heard } from './heard.ts';
import { type Named, namedBy } from './named.ts';

type Sight = Pick<TargetSight, 'shown' | 'shown_before' | 'matched_then'>;

const UNSEEN: Sight = { shown: false, shown_before: false, matched_then: null };
/** A value of a list stands in the schema, once. */
const CHOSEN: Sight = { shown: true, shown_before: false, matched_then: 1 };

/** Judges the targets of calls of an app's own tools: whether the agent was told of the things that they name. */
export class CallAim {
  readonly #heard: Heard;

  /** @param goal what the agent was told before it saw anything */
  constructor(goal: string) {
    this.#heard = new Heard(goal);
  }

  /**
   * @param tools the list that the agent called from
   * @returns what the call aimed at; null when at nothing. What the reply tells is what later calls may name.
   */
  reportOf(call: ToolCall, tools: readonly ToolDefinition[], reply: ToolReply): TargetReport | null {
    this.#heard.hearTools(JSON.stringify(tools));
    const named = namedBy(call, tools);
    const schema = tools.find(({ name }) => name === call.tool)?.input_schema;
    const invented = schema === undefined ? ['tool'] : inventedChoices(call.args, schema);
    const sights = named.map((name) => sightOf(name, this.#heard));
    this.#heard.hearReply(
      reply,
      named.map(({ value }) => value),
    );
    const worst = worstOf(sights);
    if (worst !== null) return { ...outcomeOf(worst, reply), invented };
    if (invented.length > 0) return { ...outcomeOf(UNSEEN, reply), invented };
    const sorts = sortsIn(call.args, schema);
    if (sorts.includes('text')) return { untold: 'its arguments are free text, which names nothing' };
    return sorts.includes('choice') ? { ...outcomeOf(CHOSEN, reply), invented } : null;
  }
}

/** A name by itself is told by anything that the agent heard; one within another by the replies that list what is in that. */
function sightOf({ value, within }: Named, heard: Heard): Sight {
  if (within === null) return heard.has(value) ? CHOSEN : UNSEEN;
  const isInGoal = heard.isInGoal(value);
  const views = heard.viewsOf(within).slice(0, 1 + EARLIER_VIEWS);
  const [last, ...earlier] = views.map((view) => view.filter((name) => name === value).length);
  if (last === undefined) return { ...UNSEEN, shown: isInGoal };
  return { shown: last > 0, shown_before: isInGoal || earlier.some((count) => count > 0), matched_then: last };
}

/** Among several things that a call names, the one that was known least decides. */
function worstOf(sights: readonly Sight[]): Sight | null {
  const unseen = sights.find((sight) => !sight.shown && !sight.shown_before);
  return unseen ?? sights.find(({ shown }) => !shown) ?? sights[0] ?? null;
}

/** A target that the app took was there, and could be acted on; one that it refused was not acted on. */
function outcomeOf(sight: Sight, { ok }: ToolReply): Omit<TargetSight, 'invented'> {
  if (ok) return { ...sight, matched_now: 1, actionable: true, dispatched: true };
  const gone = sight.matched_then === 0;
  return { ...sight, matched_now: gone ? 0 : null, actionable: sight.shown ? false : null, dispatched: false };
}

import { nestingProblem } from '../contract/json.ts';
import { Move } from '../agent/agent.ts';
import { mapStrings, wellFormed } from '../contract/strings.ts';
import { parsePlainly } from '../contract/validation/problem.ts';

/** Longest move that is taken, in characters. */
const MAX_MOVE_LENGTH = 4 * 1024 * 1024;

/**
 * A move as JSON can hold it: lone surrogates are replaced.
 * @throws Error saying what is wrong with a move that no agent can make.
 */
export function checkedMove(move: unknown): Move {
  const tooMuch = nestingProblem(move);
  if (tooMuch !== null) throw new Error(`its move is malformed: it ${tooMuch}`);
  const parsed = parsePlainly(Move, mapStrings(move, wellFormed));
  if (!parsed.ok) {
    const [first] = parsed.problems;
    throw new Error(`its move is malformed: ${first?.path.join('.') ?? ''} ${first?.message ?? ''}`);
  }
  const { length } = JSON.stringify(parsed.value);
  if (length > MAX_MOVE_LENGTH) throw new Error(`its move is malformed: it has ${length} characters`);
  return parsed.value;
}

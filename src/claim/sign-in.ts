import { z } from 'zod';
import { rowFields } from '../bundle/row-fields.ts';
import { Whole, Share, shareOf } from './figure-fields.ts';
import type { FiguredRow } from './figured-row.ts';
import { Entrant, entrantName } from './figures.ts';
import { groupBy } from './group.ts';
import { ran } from './honesty.ts';
import { hasPassed } from './success.ts';

/** Axis E: tasks behind a login, and the time of signing in beforehand. */
export const SignInFigures = z.strictObject({
  /** `form`: the agent signed in itself; `stored_state`: it began as a role. */
  entrants: z.array(z.strictObject({ ...Entrant.shape, by: z.enum(['form', 'stored_state']), passed: Share })),
  /** Diagnostic: a role signs in once in a campaign and once in each resume. */
  setups: z.array(
    z.strictObject({ suite: rowFields.suite, role: z.string(), setup_ms: z.number().min(0), episodes: Whole }),
  ),
});
export type SignInFigures = z.infer<typeof SignInFigures>;

/** Null if no task was behind a login. */
export function signInFigures(rows: readonly FiguredRow[], entrants: readonly Entrant[]): SignInFigures | null {
  const signedIn = rows.flatMap((row) => (row.auth === undefined || !ran(row) ? [] : [{ row, auth: row.auth }]));
  if (signedIn.length === 0) return null;
  const byEntrant = groupBy(signedIn, ({ row }) => entrantName(row));
  const stored = signedIn.flatMap(({ row: { suite }, auth }) =>
    auth.by === 'stored_state' ? [{ suite, role: auth.role, setup_ms: auth.setup_ms }] : [],
  );
  return {
    entrants: entrants.flatMap(({ agent, surface }) =>
      [...groupBy(byEntrant.get(entrantName({ agent, surface })) ?? [], ({ auth }) => auth.by).values()].flatMap(
        (group) =>
          group.slice(0, 1).map(({ auth: { by } }) => ({
            agent,
            surface,
            by,
            passed: shareOf(
              group.map(({ row }) => row),
              hasPassed,
            ),
          })),
      ),
    ),
    setups: [...groupBy(stored, (each) => JSON.stringify(each)).values()].flatMap((same) =>
      same.slice(0, 1).map((each) => ({ ...each, episodes: same.length })),
    ),
  };
}

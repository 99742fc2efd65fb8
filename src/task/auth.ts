import { z } from 'zod';
import { mapStrings } from '../contract/strings.ts';
import type { Problem } from '../contract/validation/problem.ts';
import { unknownRoles } from './aria-roles.ts';
import { type Credentials, textWithCredentials, credentialsIn } from './credentials.ts';
import { Id } from './id.ts';
import { Intent, PageUrl } from './intent.ts';

/** The way of signing in: the agent signs in itself, by the form, or it is signed in as a role when it begins. */
export const Auth = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('form') }),
  z.strictObject({ by: z.literal('stored_state'), role: Id }),
]);

/** The sign-in of a role: its cookies are kept, in memory alone, for all episodes that begin signed in as it. */
export const SignIn = z.strictObject({
  start_url: PageUrl.describe('the page with the sign-in form'),
  steps: z
    .array(Intent)
    .min(1, 'is empty; list at least one step')
    .describe('the steps; the last one waits for something that only a signed-in user sees'),
});
export type SignIn = z.infer<typeof SignIn>;

/** By the names under which tasks ask for them. */
export const Roles = z.record(Id, SignIn);
export type Roles = z.infer<typeof Roles>;

/** A role's way in as an episode needs it. It is told to nobody but the app, and never written. */
export function signInWith(signIn: SignIn, credentials: Credentials): SignIn {
  return SignIn.parse(mapStrings(signIn, (text) => textWithCredentials(text, credentials)));
}

/** Say what a role needs that its suite has not. */
export function roleProblems(roles: Roles, credentials: Credentials): Problem[] {
  return Object.entries(roles).flatMap(([role, { steps }]) => [
    ...credentialsIn(steps)
      .filter((name) => !Object.hasOwn(credentials, name))
      .map((name) => ({
        path: ['roles', role],
        message: `asks for \${${name}}, which the suite's credentials do not have`,
      })),
    ...unknownRoles(steps, ['roles', role, 'steps']),
  ]);
}

/** A task that begins signed in as a role that its suite has not. */
export function authProblems({ auth }: { auth?: z.infer<typeof Auth> | undefined }, roles: Roles): Problem[] {
  if (auth?.by !== 'stored_state' || Object.hasOwn(roles, auth.role)) return [];
  const known = Object.keys(roles);
  const remedy = known.length === 0 ? 'give the suite file roles' : `choose from ${known.join(', ')}`;
  return [{ path: ['auth', 'role'], message: `"${auth.role}" is no role of the suite; ${remedy}` }];
}

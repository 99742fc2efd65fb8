import { z } from 'zod';
import type { Fact } from '../messages/message.ts';
import { fact } from '../messages/messages.ts';
import { mapStrings } from '../contract/strings.ts';
import type { Problem } from '../contract/validation/problem.ts';
import { rule } from '../contract/validation/wording.ts';
import { unknownRoles, Intent, PageUrl } from './intent.ts';
import { Id } from './instance.ts';

/** `form`: the agent signs in itself. `stored_state`: it begins signed in as a role. */
export const Auth = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('form') }),
  z.strictObject({ by: z.literal('stored_state'), role: Id }),
]);

/** The sign-in of a role. Its cookies are kept in memory only, for all episodes that begin as this role, or for one. */
export const SignIn = z.strictObject({
  start_url: PageUrl.describe('the page with the sign-in form'),
  steps: z
    .array(Intent)
    .min(1, rule('list_empty', { entry: 'step' }))
    .describe('the steps; the last one waits for something that only a signed-in user sees'),
  per_episode: z
    .literal(true)
    .optional()
    .describe('signs in again for each episode, in its own fresh app, for apps that keep sessions themselves'),
});
export type SignIn = z.infer<typeof SignIn>;

export const Roles = z.record(Id, SignIn);
export type Roles = z.infer<typeof Roles>;

/** Fills in the credentials of a sign-in. Only the app receives the result, and it is never written. */
export function signInWith(signIn: SignIn, credentials: Credentials): SignIn {
  return SignIn.parse(mapStrings(signIn, (text) => textWithCredentials(text, credentials)));
}

export function roleProblems(roles: Roles, credentials: Credentials): Problem[] {
  return Object.entries(roles).flatMap(([role, { steps }]) => [
    ...credentialsIn(steps)
      .filter((name) => !Object.hasOwn(credentials, name))
      .map((name) => ({ path: ['roles', role], what: unknownCredential(name) })),
    ...unknownRoles(steps, ['roles', role, 'steps']),
  ]);
}

export function authProblems({ auth }: { auth?: z.infer<typeof Auth> | undefined }, roles: Roles): Problem[] {
  if (auth?.by !== 'stored_state' || Object.hasOwn(roles, auth.role)) return [];
  const known = Object.keys(roles);
  const what = fact('role_unknown', { role: auth.role, count: known.length, known });
  return [{ path: ['auth', 'role'], what }];
}

/** In characters: a shorter secret cannot be redacted reliably. */
const MIN_SECRET = 8;

/** Secrets by the name that tasks use: `${ACCOUNT_PASSWORD}`. */
export const Credentials = z.record(
  z.string().regex(/^[A-Z][A-Z0-9_]*$/, rule('credential_name')),
  z.string().min(MIN_SECRET, rule('credential_too_short', { least: MIN_SECRET })),
);
export type Credentials = z.infer<typeof Credentials>;

const PLACEHOLDER = /\$\{([A-Z][A-Z0-9_]*)\}/g;
/** Fields in which credentials may be used: none decides how a task is judged. */
const FIELDS = ['goal', 'instance', 'solutions', 'nearMisses'] as const;
type Asking = Partial<Record<(typeof FIELDS)[number], unknown>>;

/** A suite's credentials; the environment wins. */
export function credentialsOf(
  own: Credentials,
  environment: Readonly<Record<string, string | undefined>>,
): Credentials {
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, environment[name] || value]));
}

export function textWithCredentials(text: string, credentials: Credentials): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(credentials, name) ? (credentials[name] ?? whole) : whole,
  );
}

export function credentialsIn(value: unknown): string[] {
  const asked = [...JSON.stringify(value).matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  return [...new Set(asked)];
}

/** Fills in the credentials of an episode's task. Only the agent and the app receive the result, and it is never written. */
export function withCredentials<T extends Asking>(task: T, credentials: Credentials): T {
  const filled = (text: string): string => textWithCredentials(text, credentials);
  const fields = FIELDS.map((field) => [field, mapStrings(task[field], filled)] as const);
  return Object.assign({}, task, Object.fromEntries(fields.filter(([, value]) => value !== undefined)));
}

/** Credentials that the suite lacks, and those in fields that are judged or written. */
export function credentialProblems(task: Asking, credentials: Credentials): Problem[] {
  return Object.entries(task).flatMap(([field, value]) => {
    const isAllowed = FIELDS.some((each) => each === field);
    return credentialsIn(value).flatMap((name) => {
      if (!isAllowed) {
        const what = fact('credential_not_allowed', { placeholder: `\${${name}}`, fields: [...FIELDS] });
        return [{ path: [field], what }];
      }
      return Object.hasOwn(credentials, name) ? [] : [{ path: [field], what: unknownCredential(name) }];
    });
  });
}

function unknownCredential(name: string): Fact {
  return fact('credential_unknown', { placeholder: `\${${name}}` });
}

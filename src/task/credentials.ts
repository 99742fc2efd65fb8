import { z } from 'zod';
import { mapStrings } from '../contract/strings.ts';
import type { Problem } from '../contract/validation/problem.ts';

/** The values that a login needs, by the name under which tasks ask for them: `${ACCOUNT_PASSWORD}`. */
export const Credentials = z.record(
  z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'is not a name; write capitals, digits and "_", a letter first'),
  z.string().min(8, 'is too short to be kept out of what is written; use at least 8 characters'),
);
export type Credentials = z.infer<typeof Credentials>;

const PLACEHOLDER = /\$\{([A-Z][A-Z0-9_]*)\}/g;
/** The fields in which credentials may be asked for. None of them is a part of how a task is judged. */
const FIELDS = ['goal', 'instance', 'solutions', 'nearMisses'] as const;
type Asking = Partial<Record<(typeof FIELDS)[number], unknown>>;

/** A suite's credentials, as the environment has them where it names them. */
export function credentialsOf(
  own: Credentials,
  environment: Readonly<Record<string, string | undefined>>,
): Credentials {
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, environment[name] || value]));
}

/** A text with values in the places where it asks for them. */
export function textWithCredentials(text: string, credentials: Credentials): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string) =>
    Object.hasOwn(credentials, name) ? (credentials[name] ?? whole) : whole,
  );
}

/** The credentials that it asks for, each once. */
export function credentialsIn(value: unknown): string[] {
  const asked = [...JSON.stringify(value).matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  return [...new Set(asked)];
}

/** The task as an episode needs it. It is told to nobody but the agent and the app, and never written. */
export function withCredentials<T extends Asking>(task: T, credentials: Credentials): T {
  const filled = (text: string): string => textWithCredentials(text, credentials);
  const fields = FIELDS.map((field) => [field, mapStrings(task[field], filled)] as const);
  return Object.assign({}, task, Object.fromEntries(fields.filter(([, value]) => value !== undefined)));
}

/** Credentials that a task asks for and its suite has not, and those that stand where they would be judged or written. */
export function credentialProblems(task: Asking, credentials: Credentials): Problem[] {
  return Object.entries(task).flatMap(([field, value]) => {
    const isAllowed = FIELDS.some((each) => each === field);
    return credentialsIn(value).flatMap((name) => {
      if (!isAllowed) return [{ path: [field], message: `asks for \${${name}}; only ${FIELDS.join(', ')} may` }];
      if (Object.hasOwn(credentials, name)) return [];
      return [{ path: [field], message: `asks for \${${name}}, which the suite's credentials do not have` }];
    });
  });
}

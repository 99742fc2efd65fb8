import { BundleError } from './errors.ts';
import { secretPattern } from './secret-pattern.ts';
import { mapStrings } from '../contract/strings.ts';

export interface Secret {
  /** The name in the placeholder: `[secret:NAME]`. */
  name: string;
  value: string;
}

/** Replaces secrets in any encoding by their placeholders. Everything passes through it before it is judged, hashed or written. */
export interface Redactor {
  readonly text: (text: string) => string;
  /**
   * Redacts every string of a JSON value of ours. Its keys are ours and stay, even if a secret equals one ("captured");
   * below the fields that hold data of others, see {@link FOREIGN_FIELDS}, keys and numbers are redacted too, and so is a
   * number that is an answer. Numbers of ours stay.
   */
  readonly json: <T>(value: T) => T;
}

/** Fields of ours with data whose keys are not ours: a tool call's arguments, and an app's state at the start and now. */
export const FOREIGN_FIELDS: ReadonlySet<string> = new Set(['args', 'start', 'now']);

/** The field of an answer that holds the agent's text or number. No number of ours is in a field of this name. */
const ANSWER_FIELD = 'value';

/** A shorter value would occur by chance in ordinary text, and redacting it would falsify evidence. */
const MIN_SECRET_LENGTH = 8;

export function createRedactor(secrets: readonly Secret[]): Redactor {
  for (const secret of secrets) assertUsable(secret);
  const text = createReplacer(secrets);
  return {
    text,
    json: (value) => redactOurs(value, text),
  };
}

/**
 * A string stays a string and our fields keep their names, so the type holds, but for a type that names a string's very
 * text. A number becomes text only where the types have both: in any JSON, and as an answer.
 */
function redactOurs<T>(value: T, text: (text: string) => string): T;
function redactOurs(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => redactOurs(item, text));
  const fields = Object.entries(value).map(([field, item]) => [field, redactField(field, item, text)]);
  return Object.fromEntries(fields);
}

function redactField(field: string, item: unknown, text: (text: string) => string): unknown {
  const number = (value: number): unknown => redactNumber(value, text);
  if (FOREIGN_FIELDS.has(field)) return mapStrings(item, text, number);
  return field === ANSWER_FIELD && typeof item === 'number' ? number(item) : redactOurs(item, text);
}

/** A secret of digits can be a number in JSON. */
function redactNumber(number: number, text: (text: string) => string): number | string {
  const digits = String(number);
  const redacted = text(digits);
  return redacted === digits ? number : redacted;
}

/**
 * The secrets in an environment: every variable named like one (`…_API_KEY`, `…_TOKEN`, `…_SECRET`, `…_PASSWORD`, `…_KEY`)
 * with a value that is long enough, and every `TOUCHSTONE_SECRET_…`, which must be.
 * @param given variables that files of agents and tool servers call secrets; they count as named like one
 */
export function secretsFromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  given: readonly string[] = [],
): Secret[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    const declared = name.startsWith('TOUCHSTONE_SECRET_') && value !== '';
    const isNamedSo = given.includes(name) || /_(?:TOKEN|SECRET|PASSWORD|KEY)$/.test(name);
    const guessed = isNamedSo && value.length >= MIN_SECRET_LENGTH;
    return declared || guessed ? [{ name, value }] : [];
  });
}

/** One pass over the text; at the same place the longest secret wins, and placeholders that are there already stay. */
function createReplacer(secrets: readonly Secret[]): (text: string) => string {
  if (secrets.length === 0) return (text) => text;
  const longestFirst = secrets.toSorted((a, b) => b.value.length - a.value.length);
  const names = longestFirst.map(({ name }) => name.replaceAll('.', '\\.')).join('|');
  const patterns = longestFirst.map(({ value }) => `(${secretPattern(value, names)})`);
  const anySecret = new RegExp([`\\[secret:(?:${names})\\]`, ...patterns].join('|'), 'g');
  return (text) =>
    text.replace(anySecret, (match, ...groups: unknown[]) => {
      const secret = longestFirst.find((_, index) => groups[index] !== undefined);
      return secret === undefined ? match : `[secret:${secret.name}]`;
    });
}

function assertUsable({ name, value }: Secret): void {
  if (!/^[A-Za-z0-9_.-]+$/.test(name)) {
    throw new BundleError(
      'bad_secret',
      `${JSON.stringify(name)} cannot name a secret`,
      'use letters, digits, "_", "." and "-"',
    );
  }
  if (value.length < MIN_SECRET_LENGTH) {
    const remedy = `use a value of at least ${MIN_SECRET_LENGTH} characters; a shorter one occurs by chance in ordinary text`;
    throw new BundleError('bad_secret', `the value of secret ${name} is too short to be redacted`, remedy);
  }
}

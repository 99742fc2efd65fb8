import { isRecord } from '../../contract/validation/record.ts';
import type { CdpCommand } from './command.ts';

export interface Code {
  place: string;
  text: string;
}

type Params = Record<string, unknown>;

const SCRIPTS: Readonly<Record<string, string>> = {
  'Runtime.evaluate': 'expression',
  'Runtime.callFunctionOn': 'functionDeclaration',
  'Page.addScriptToEvaluateOnNewDocument': 'source',
  'Page.reload': 'scriptToEvaluateOnLoad',
};

/** A function that runs its string argument, or writes it into the page. */
const EVALUATES =
  /\beval\s*\(|\bFunction\s*\(|\bdocument\.write(?:ln)?\s*\(|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML|createElement\(\s*["'`]script/;

/** The keys under which such a function is given script or markup in objects. */
const CODE_KEYS = new Set(['expression', 'function', 'functionText', 'code', 'script', 'html', 'content']);

/** Whether a script runs, or writes into the page, strings that it holds or is given. */
export function evaluates(script: string): boolean {
  return EVALUATES.test(script);
}

/**
 * Returns all code in a command: not mere data of a script (the text that a helper puts into a field) or of `Input.*`, nor text
 * that stays text in the page.
 */
export function codeIn({ method, params = {} }: CdpCommand): Code[] {
  if (method === 'Runtime.callFunctionOn') return codeInCall(params);
  return codeAt(method, params);
}

function codeAt(method: string, params: Params): Code[] {
  const field = Object.hasOwn(SCRIPTS, method) ? SCRIPTS[method] : undefined;
  const text = field === undefined ? undefined : params[field];
  return typeof text === 'string' ? [{ place: method, text }] : [];
}

/** A function that is called in the page, and those of its arguments that are code to it. */
function codeInCall(params: Params): Code[] {
  const codes = codeAt('Runtime.callFunctionOn', params);
  let [called] = codes;
  const { arguments: given } = params;
  let values = (Array.isArray(given) ? given : []).map((each: unknown) => (isRecord(each) ? each['value'] : undefined));
  if (called?.text.includes('utilityScript.evaluate') === true) {
    // Playwright's own function: it runs the first string that it is given, with the rest.
    const first = values.findIndex((value) => typeof value === 'string');
    const script = values[first];
    if (typeof script !== 'string') return codes;
    called = { place: 'utilityScript', text: script };
    codes.push(called);
    values = values.slice(first + 1);
  }
  if (called === undefined || !evaluates(called.text)) return codes;
  for (const value of values) {
    for (const { key, text } of stringsIn(value)) {
      const isCode = typeof value === 'string' || (key !== null && CODE_KEYS.has(key));
      if (isCode) codes.push({ place: 'argument', text });
    }
  }
  return codes;
}

/** A string in a value, and its key; null in a list, and for the value itself. */
interface FoundString {
  key: string | null;
  text: string;
}

/** Does not recurse: a value can be nested as deep as its sender likes. Playwright writes fields as `{k: name, v: value}`. */
export function stringsIn(value: unknown): FoundString[] {
  const found: FoundString[] = [];
  const waiting: { key: string | null; value: unknown }[] = [{ key: null, value }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { key, value: current } = next;
    if (typeof current === 'string') found.push({ key, text: current });
    if (typeof current !== 'object' || current === null) continue;
    if (Array.isArray(current)) {
      for (const each of current) waiting.push({ key: null, value: each });
      continue;
    }
    const name = 'k' in current && typeof current.k === 'string' ? current.k : 'v';
    for (const [field, each] of Object.entries(current)) {
      waiting.push({ key: field === 'v' ? name : field, value: each });
    }
  }
  return found;
}

import type { Fact, Param } from './message.ts';

/**
 * A text with placeholders: `{name}`; `{name=default}`, which may be left out; and `{name|key:text|other:text}`, which shows the
 * text of the key that the value equals. Such a text may hold placeholders of the first two kinds.
 */
export type Template = string | { readonly text: string; readonly remedy: string };

type TextOf<M> = M extends { text: infer Text; remedy: infer Remedy } ? Text | Remedy : M;
type Placeholder<Text> = Text extends `${string}{${infer Inside}}${infer Rest}`
  ? Parts<Inside> | Placeholder<Rest>
  : never;
type Parts<Inside> = Inside extends `${infer Outer}{${infer Inner}` ? Outer | Inner : Inside;
type RequiredName<Inside> = Inside extends `${infer Name}|${string}`
  ? Name
  : Inside extends `${string}=${string}` | ` ${string}`
    ? never
    : Inside;
type OptionalName<Inside> = Inside extends `${string}|${string}`
  ? never
  : Inside extends `${infer Name}=${string}`
    ? Name
    : never;

/** The parameters that a message takes. */
export type ParamsOf<M> = { [Name in RequiredName<Placeholder<TextOf<M>>> & string]: Param } & {
  [Name in OptionalName<Placeholder<TextOf<M>>> & string]?: Param | undefined;
};

const PLACEHOLDER = /\{([a-z]\w*)(?:=([^{}|]*)|((?:\|(?:[^{}|]|\{[^{}]*\})*)+))?\}/g;

/** Fills in the placeholders of a text. Stored parameters may be incomplete: one that is missing is shown as its name. */
export function fill(text: string, params: Fact['params'], isPart = false): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string, byDefault?: string, choices?: string, at = 0) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (choices !== undefined) return fill(chosen(choices, String(value)), params, true);
    if (value === undefined) return byDefault ?? name;
    if (!Array.isArray(value)) return String(value);
    return value.join((at === 0 && !isPart) || text[at - 1] === '\n' ? '\n' : ', ');
  });
}

function chosen(choices: string, wanted: string): string {
  const texts = new Map(
    choices
      .slice(1)
      .split('|')
      .map((choice) => [choice.slice(0, choice.indexOf(':')), choice.slice(choice.indexOf(':') + 1)]),
  );
  return texts.get(wanted) ?? texts.get('other') ?? wanted;
}

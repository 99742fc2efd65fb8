import type { Fact, Param } from './message.ts';
import { messageFor, remedyOf } from './messages.ts';
import { printable } from './printable.ts';

/**
 * An error made from a fact: its message and remedy come from the table of messages. Each parameter is put on one line, so that
 * none of them can begin a line of the message.
 */
export abstract class FactError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly params: Fact['params'];
  readonly remedy: string;

  /** The fact that it was made from. */
  get fact(): Fact<Code> {
    return { code: this.code, params: this.params };
  }

  constructor(fact: Fact<Code>, cause?: unknown) {
    const { code, params } = fact;
    const shown = {
      code,
      params: Object.fromEntries(Object.entries(params).map(([name, value]) => [name, oneLine(value)])),
    };
    super(messageFor(shown), cause === undefined ? {} : { cause });
    this.name = new.target.name;
    this.code = code;
    this.params = params;
    this.remedy = remedyOf(shown) ?? '';
  }
}

function oneLine(value: Param): Param {
  if (Array.isArray(value)) return value.map(printable);
  return typeof value === 'string' ? printable(value) : value;
}

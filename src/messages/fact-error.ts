import type { Fact } from './message.ts';
import { messageFor, remedyOf } from './messages.ts';

/** An error made from a fact: its message and what a user can do about it come from the table of messages. */
export abstract class FactError<Code extends string = string> extends Error {
  readonly code: Code;
  readonly params: Fact['params'];
  readonly remedy: string;

  constructor(fact: Fact<Code>, cause?: unknown) {
    super(messageFor(fact), cause === undefined ? {} : { cause });
    this.name = new.target.name;
    this.code = fact.code;
    this.params = fact.params;
    this.remedy = remedyOf(fact) ?? '';
  }
}

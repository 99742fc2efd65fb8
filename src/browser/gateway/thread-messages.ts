import type { JsonObject } from '../../contract/json.ts';
import type { GuestCommand } from '../guest.ts';

/** A command that the policy allows. Its weight is returned once it is sent on. */
interface PassedCommand {
  kind: 'command';
  client: number;
  command: GuestCommand;
  weight: number;
  /** Target whose window is requested. */
  windowOf: string | null;
  resizes: number | null;
}

/** Reports from the thread of a gateway to the main thread. A client is a number, which is never used again. */
export type FromThread =
  | { kind: 'listening'; port: number }
  | { kind: 'came'; client: number; targetId: string | null }
  | PassedCommand
  | { kind: 'refused'; client: number; method: string; isViolation: boolean }
  /** A tool call has brought a script of the agent's own into a page. */
  | { kind: 'script'; step: number }
  | { kind: 'left'; client: number }
  | { kind: 'asked'; request: number; path: string; host: string };

export type ToThread =
  | { kind: 'heard'; messages: { client: number; bytes: Uint8Array<ArrayBuffer> }[] }
  /** A command is on its way to the browser, and there is room for another of its weight. */
  | { kind: 'taken'; client: number; weight: number }
  | { kind: 'end'; client: number }
  | { kind: 'cut'; clients: number[] }
  | { kind: 'answered'; request: number; text: string | null; status: number }
  | { kind: 'call'; args: JsonObject }
  /** Files that clients may name: the browser's path, by the client's. */
  | { kind: 'files'; paths: ReadonlyMap<string, string> };

import { isRecord } from '../../contract/validation/record.ts';

/** A command of the Chrome DevTools Protocol that a client sends. Anything else in it is left out. */
export interface CdpCommand {
  id: number;
  method: string;
  sessionId?: string | undefined;
  params?: Record<string, unknown> | undefined;
}

const MAX_METHOD_LENGTH = 200;
/** The start of a command: its method, or its number and then its method. */
const HEAD = /^\s*\{\s*(?:"id"\s*:\s*(\d{1,15})\s*,\s*)?"method"\s*:\s*"([A-Za-z.]{1,200})"/;
const HEAD_BYTES = 512;

/** Reads a client's message; null if it is not a command. */
export function commandIn(message: string): CdpCommand | null {
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    return null;
  }
  if (!isRecord(value)) return null;
  const { id, method, sessionId, params } = value;
  if (typeof id !== 'number' || !Number.isSafeInteger(id)) return null;
  if (typeof method !== 'string' || method.length > MAX_METHOD_LENGTH) return null;
  if (sessionId !== undefined && typeof sessionId !== 'string') return null;
  return params === undefined || isRecord(params) ? { id, method, sessionId, params } : null;
}

/** The method at the start of a command that was not parsed, and the number before it, if any; null if it starts otherwise. */
export function headOf(message: Buffer): { id: number | null; method: string } | null {
  const [, id, method] = HEAD.exec(message.toString('latin1', 0, HEAD_BYTES)) ?? [];
  return method === undefined ? null : { id: id === undefined ? null : Number(id), method };
}

import { z } from 'zod';

/** A command of the Chrome DevTools Protocol that a client sends. Whatever else stands in it is the client's own affair. */
export const CdpCommand = z.looseObject({
  id: z.int(),
  method: z.string().max(200),
  sessionId: z.string().optional(),
  params: z.looseObject({}).optional(),
});
export type CdpCommand = z.infer<typeof CdpCommand>;

/** Reads a message of a client; null when it is no command. */
export function commandIn(message: string): CdpCommand | null {
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch {
    return null;
  }
  const parsed = CdpCommand.safeParse(value);
  return parsed.success ? parsed.data : null;
}

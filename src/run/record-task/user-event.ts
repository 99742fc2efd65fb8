import { z } from 'zod';

const Name = z.string().max(200);
/** Texts that were visible in the frame when the user acted. */
const Texts = z.array(z.string().max(100)).max(200);
/** Whether it is the first of its role and name, which is the one that a step means. */
const Aimed = { name: Name, isFirst: z.boolean(), others: z.array(z.string().max(500)).max(5), texts: Texts };

/** An event of a user, as the recorder in a page reports it. */
export const UserEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('click'), role: z.string().max(50), byKey: z.boolean(), ...Aimed }),
  z.object({ kind: z.literal('fill'), type: z.string().max(30), text: z.string(), isSecret: z.boolean(), ...Aimed }),
  /** More of the same field. */
  z.object({ kind: z.literal('typed'), text: z.string(), isSecret: z.boolean(), texts: Texts }),
  z.object({ kind: z.literal('choose'), option: z.string().max(500), ...Aimed }),
  z.object({ kind: z.literal('press'), key: z.string().max(30), texts: Texts }),
  /** Something for which there is no step. */
  z.object({ kind: z.literal('unnamed'), what: z.string().max(300), texts: Texts }),
]);
export type UserEvent = z.infer<typeof UserEvent>;

/** Reads the event in a message; null if it has none. */
export function userEventIn(message: string): UserEvent | null {
  try {
    return UserEvent.safeParse(JSON.parse(message)).data ?? null;
  } catch {
    return null;
  }
}

import { z } from 'zod';

/** A value in a message. A list is shown with commas; where its placeholder begins a line, each entry is a line. */
const Param = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
export type Param = z.infer<typeof Param>;

/** A finding without words: it is made, passed on and stored like this, and `messageFor` words it where a person reads it. */
export const Fact = z.strictObject({ code: z.string(), params: z.record(z.string(), Param) });
// A type alias, since an interface is not assignable to JSON.
export type Fact<Code extends string = string> = { code: Code; params: Record<string, Param> };

/** A fact in a file. Earlier versions stored a sentence instead. */
export const StoredFact = z.union([Fact, z.string()]);
export type StoredFact = z.infer<typeof StoredFact>;

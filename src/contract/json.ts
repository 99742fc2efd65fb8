import type { z } from 'zod';

/** Any value that JSON can hold: the type of what `z.json()` lets through. */
export type Json = z.infer<ReturnType<typeof z.json>>;

/** A map of fields in JSON, as tools take for arguments. */
export interface JsonObject {
  [key: string]: Json;
}

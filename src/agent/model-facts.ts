import { z } from 'zod';

/** The facts of a model that are fixed before it is asked, as pins and rows have them. */
export const ModelFacts = z.strictObject({
  model_id: z.string(),
  /** Host of the endpoint; null where cassettes answer. */
  model_endpoint: z.string().nullable(),
  endpoint_kind: z.enum(['provider', 'custom', 'mock', 'cassette']),
  /** Null: it takes none. */
  temperature: z.number().nullable(),
  /** Most tokens of one reply. */
  max_output_tokens: z.int(),
  /** SHA-256 of the prompt file. */
  prompt_hash: z.string(),
  /** Null: no table has it, so what it costs is not known. */
  price_table: z.string().nullable(),
  call_timeout_ms: z.int(),
  max_retries: z.int(),
});
export type ModelFacts = z.infer<typeof ModelFacts>;

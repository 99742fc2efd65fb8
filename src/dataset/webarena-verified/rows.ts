import { z } from 'zod';
import { Json, JsonObject } from '../../contract/json.ts';

/** The type of a value, in the JSON Schema that a row carries: `format` narrows `type`. */
export interface ValueSchema {
  type?: string | undefined;
  format?: string | undefined;
  items?: ValueSchema | undefined;
  properties?: Record<string, ValueSchema> | undefined;
}

const ValueSchema: z.ZodType<ValueSchema> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    format: z.string().optional(),
    items: ValueSchema.optional(),
    properties: z.record(z.string(), ValueSchema).optional(),
  }),
);

const ResponseCheck = z.object({
  evaluator: z.literal('AgentResponseEvaluator'),
  results_schema: ValueSchema,
  ordered: z.boolean().default(false),
  expected: z.object({
    task_type: z.string(),
    status: z.string(),
    retrieved_data: z.array(Json).nullable().default(null),
  }),
});
export type ResponseCheck = z.infer<typeof ResponseCheck>;

/** The request that must have been sent. */
const ExpectedRequest = z.object({
  url: z.union([z.string(), z.array(z.string()).min(1)]),
  http_method: z.string().default('GET'),
  response_status: z.int().default(200),
  query_params: z.record(z.string(), z.array(z.string())).optional(),
  headers: JsonObject.optional(),
  post_data: JsonObject.optional(),
  response_content: JsonObject.optional(),
  response_cookies: JsonObject.optional(),
});
export type ExpectedRequest = z.infer<typeof ExpectedRequest>;

const NetworkCheck = z.object({
  evaluator: z.literal('NetworkEventEvaluator'),
  expected: ExpectedRequest,
  last_event_only: z.boolean().default(true),
  should_not_exist: z.boolean().default(false),
  decode_base64_query: z.boolean().default(false),
  ignored_query_params: z.array(z.string()).default([]),
  ignored_query_params_patterns: z.array(z.string()).default([]),
  ignored_post_data_params_patterns: z.array(z.string()).default([]),
  query_params_schema: ValueSchema.optional(),
  post_data_schema: ValueSchema.optional(),
});
export type NetworkCheck = z.infer<typeof NetworkCheck>;

/** A row of webarena-verified.json. */
export const VerifiedRow = z.object({
  task_id: z.int(),
  sites: z.array(z.string()).min(1),
  start_urls: z.array(z.string()).min(1),
  intent: z.string().min(1),
  intent_template_id: z.int(),
  revision: z.int(),
  eval: z.array(z.discriminatedUnion('evaluator', [ResponseCheck, NetworkCheck])).min(1),
});
export type VerifiedRow = z.infer<typeof VerifiedRow>;

import { z } from 'zod';

/** The attempts that keep Playwright's trace. */
export const TracePolicy = z.enum(['on', 'failures', 'off']);
export type TracePolicy = z.infer<typeof TracePolicy>;

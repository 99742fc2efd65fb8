import { z } from 'zod';

/** The attempts of which Playwright's trace is kept. */
export const TracePolicy = z.enum(['on', 'failures', 'off']);
export type TracePolicy = z.infer<typeof TracePolicy>;

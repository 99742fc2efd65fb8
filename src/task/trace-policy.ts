import { z } from 'zod';

/** Of which attempts Playwright's trace is kept. */
export const TracePolicy = z.enum(['on', 'failures', 'off']);
export type TracePolicy = z.infer<typeof TracePolicy>;

import { z } from 'zod';

/** Every interval here is one of 95 %: in the long run, so many of them hold the true value. Both ends belong to it. */
export const Interval = z.strictObject({ low: z.number(), high: z.number() });
export type Interval = z.infer<typeof Interval>;

/** Quantile of the standard normal distribution at 0.975, for intervals and tests of both sides at the level 0.05. */
export const Z_CONFIDENCE = 1.959963984540054;

/** Quantile of the standard normal distribution at the usual power of 0.8. */
export const Z_POWER = 0.8416212335729143;

import { z } from 'zod';

/** The load that an attempt ran under: absent where attempts ran one after the other. */
export const Concurrency = z.strictObject({
  /** Most attempts that ran at once, this one among them. */
  workers: z.int().min(2),
  /** Average number of processes that ran or waited to, over the minute before it began. Null: not measured, as another machine ran it. */
  load_average: z.number().min(0).nullable(),
  /** Number of cores to run them on. Null with the load. */
  cores: z.int().min(1).nullable(),
});
export type Concurrency = z.infer<typeof Concurrency>;

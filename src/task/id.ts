import { z } from 'zod';

/** An id is part of file names and of `run_id`, whose parts are separated by `__`. */
export const Id = z
  .string()
  .max(80, 'is longer than 80 characters; shorten it')
  .regex(/^[A-Za-z0-9]+([-_][A-Za-z0-9]+)*$/, 'is not an id; write letters and digits joined by single "-" or "_"');

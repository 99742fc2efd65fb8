import { z } from 'zod';
import type { Parsed } from './problem.ts';

/**
 * A zod schema that leaves the checking to a validator of ours, and takes what that returns. For files that strangers
 * write: `Contract` and `Task` recurse as deep as their input does, while `validateContract` and `validateTask` know limits.
 */
export function checkedBy<T>(validate: (input: unknown) => Parsed<T>) {
  return z.unknown().transform((input, context): T => {
    const result = validate(input);
    if (result.ok) return result.value;
    for (const { path, message } of result.problems) context.addIssue({ code: 'custom', path, message, input });
    return z.NEVER;
  });
}

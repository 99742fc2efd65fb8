import { z } from 'zod';

export const Whole = z.int().min(0);
export const Rate = z.number().min(0).max(1);
/** A figure; null where it was not measured. */
export const Measured = z.number().nullable();
/** Why a figure beside it is null; null where it is not. */
export const Why = z.string().nullable();

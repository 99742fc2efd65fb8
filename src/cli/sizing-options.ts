import { z } from 'zod';
import { count, numeric } from './option-values.ts';

const amount = (most: number): z.ZodType<number> => numeric(z.number().min(0).max(most));

export const SIZING_OPTIONS = {
  episodes: count(1_000_000_000)
    .default(1_000_000)
    .meta({ flags: '--episodes <count>', help: 'episodes that are to be run', shown: '1000000' }),
  machines: count(100_000)
    .default(1)
    .meta({ flags: '--machines <count>', help: 'machines like the one that was measured', shown: '1' }),
  machineUsd: amount(100_000)
    .default(0)
    .meta({ flags: '--machine-usd <amount>', help: 'price of a machine for an hour', shown: '0' }),
  storageUsd: amount(1_000)
    .default(0)
    .meta({ flags: '--storage-usd <amount>', help: 'price of keeping 1 GB for a month', shown: '0' }),
};

import type { CampaignMeasures } from './campaign-measures.ts';
import type { SizingOptions } from './commands/sizing.ts';

type Wanted = Omit<SizingOptions, 'json'>;

/** Time and cost of a larger campaign; every figure is a product of those measured and those given. */
export interface Sizing {
  /** Those that one machine ends. */
  episodes_per_hour: number;
  hours: number;
  machine_usd: number;
  /** Null: the price of a measured episode is not known. */
  model_usd: number | null;
  bytes: number;
  storage_usd_per_month: number;
  /** The evidence that all machines together send to the one coordinator. */
  bytes_per_second: number;
}

/** Scale what one machine took to so many episodes and machines, in straight lines. */
export function sizingOf(measured: CampaignMeasures, wanted: Wanted): Sizing {
  const each = wanted.episodes / measured.episodes;
  const perHour = measured.episodes / (measured.busy_ms / 3_600_000);
  const hours = wanted.episodes / (wanted.machines * perHour);
  const bytes = measured.bytes * each;
  return {
    episodes_per_hour: perHour,
    hours,
    machine_usd: wanted.machines * hours * wanted.machineUsd,
    model_usd: measured.usd === null ? null : measured.usd * each,
    bytes,
    storage_usd_per_month: (bytes / 1e9) * wanted.storageUsd,
    bytes_per_second: bytes / (hours * 3_600),
  };
}

/** The same with its arithmetic, a line for each figure; without those that were given no price. */
export function sizingLines(measured: CampaignMeasures, wanted: Wanted, sizing: Sizing): string[] {
  const { episodes, attempts, busy_ms: busy, most_at_once: most, bytes, usd, tokens } = measured;
  const { machines, machineUsd, storageUsd } = wanted;
  const [perHour, all, took] = [count(sizing.episodes_per_hour), count(wanted.episodes), timeOf(sizing.hours)];
  const again = attempts > episodes ? `, in ${count(attempts)} attempts` : '';
  const kept = `${all} × ${size(bytes / episodes)} = ${size(sizing.bytes)}`;
  const month = `; × ${figure(storageUsd)} USD a GB = ${figure(sizing.storage_usd_per_month)} USD a month`;
  const model =
    usd === null || sizing.model_usd === null
      ? 'the price of a model that was measured is not known'
      : `${all} × ${figure(usd / episodes)} USD = ${figure(sizing.model_usd)} USD`;
  return [
    `measured    ${count(episodes)} episodes in ${timeOf(busy / 3_600_000)}${again}, at most ${most} at once: ${perHour} an hour`,
    `time        ${all} / (${machines} × ${perHour} an hour) = ${took}`,
    ...(machineUsd === 0
      ? []
      : [`machines    ${machines} × ${took} × ${figure(machineUsd)} USD = ${figure(sizing.machine_usd)} USD`]),
    ...(tokens === 0 ? [] : [`models      ${model}; ${count(tokens / episodes)} tokens an episode`]),
    `evidence    ${kept}${storageUsd === 0 ? '' : month}`,
    `arriving    ${size(sizing.bytes)} / ${took} = ${size(sizing.bytes_per_second)} a second, at the one coordinator`,
  ];
}

const count = (value: number): string => Math.round(value).toLocaleString('en-GB').replaceAll(',', ' ');

function figure(value: number): string {
  return value === 0 || value >= 1 ? value.toFixed(value === 0 ? 0 : 2) : value.toPrecision(3);
}

function timeOf(value: number): string {
  return value < 1 ? `${(value * 60).toFixed(1)} min` : `${value.toFixed(1)} h`;
}

function size(bytes: number): string {
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

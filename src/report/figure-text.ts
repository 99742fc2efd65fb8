import type { Share } from '../claim/share.ts';
import type { Interval } from '../stats/interval.ts';

/** A rate in percent: `95.5`. */
export function percent(rate: number): string {
  return (rate * 100).toFixed(1);
}

/** The same with its sign: `95.5 %`. */
export function rateText(rate: number | null): string | null {
  return rate === null ? null : `${percent(rate)} %`;
}

/** A difference of rates in points: `+4.5`. */
export function signedPercent(rate: number): string {
  return `${rate > 0 ? '+' : ''}${percent(rate)}`;
}

/** Both ends in percent: `91.7 to 97.6`. */
export function intervalText(interval: Interval | null): string | null {
  return interval === null ? null : `${percent(interval.low)} to ${percent(interval.high)}`;
}

/** A share with its interval: `38 of 40 (83.5 to 98.6 %)`. Null of no episodes. */
export function shareText({ count, of, interval }: Share): string | null {
  return of === 0 ? null : `${count} of ${of} (${intervalText(interval) ?? '–'} %)`;
}

/** A figure to the digit that matters: `12,430`, `3.5`, `0.0117`. */
export function numberText(value: number | null, unit = ''): string | null {
  if (value === null) return null;
  const digits = value === 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 1 : 4;
  return `${value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${unit}`;
}

/** A whole number: `12,430`. */
export function integerText(count: number): string {
  return count.toLocaleString('en-US');
}

/** Whole milliseconds: `3141 ms`. */
export function millisecondsText(milliseconds: number | null): string | null {
  return milliseconds === null ? null : `${Math.round(milliseconds)} ms`;
}

/** Milliseconds in seconds: `3.14 s`. */
export function secondsText(milliseconds: number | null): string | null {
  return milliseconds === null ? null : `${(milliseconds / 1000).toFixed(2)} s`;
}

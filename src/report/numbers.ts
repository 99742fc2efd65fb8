import type { Interval } from '../stats/proportion.ts';

/** `1 step`, `2 steps` */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${integerText(count)} ${count === 1 ? noun : plural}`;
}

/** `once`, `3 times` */
export function timesText(count: number): string {
  return count === 1 ? 'once' : `${integerText(count)} times`;
}

/** `12,430` */
export function integerText(count: number): string {
  return count.toLocaleString('en-US');
}

/** A figure with some three digits: `12,430`, `3.5`, `0.0117` */
export function numberText(value: number | null, unit = ''): string | null {
  if (value === null) return null;
  const digits = value === 0 || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 1 ? 1 : 4;
  return `${value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}${unit}`;
}

/** `95.5` */
export function percent(rate: number): string {
  return (rate * 100).toFixed(1);
}

/** `95.5 %` */
export function rateText(rate: number | null): string | null {
  return rate === null ? null : `${percent(rate)} %`;
}

/** `71 % (58–82)` */
export function roundRateText(rate: number, interval: Interval | null): string {
  const [at, low, high] = [rate, interval?.low, interval?.high].map((share) => Math.round((share ?? 0) * 100));
  return interval === null ? `${at} %` : `${at} % (${low}–${high})`;
}

/** `+4.5` */
export function signedPercent(rate: number): string {
  return `${rate > 0 ? '+' : ''}${percent(rate)}`;
}

/** `91.7 to 97.6` */
export function intervalText(interval: Interval | null, text = percent): string | null {
  return interval === null ? null : `${text(interval.low)} to ${text(interval.high)}`;
}

/** `3141 ms` */
export function millisecondsText(milliseconds: number | null): string | null {
  return milliseconds === null ? null : `${Math.round(milliseconds)} ms`;
}

/** `3.14 s` */
export function secondsText(milliseconds: number | null): string | null {
  return milliseconds === null ? null : `${(milliseconds / 1000).toFixed(2)} s`;
}

/** `45 s`, `12 min`, `3.5 h` */
export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}

/** The time that something took: `1.5 s`, `48 s`, `1 min 48 s`, `2 h 5 min` */
export function elapsedText(milliseconds: number): string {
  if (milliseconds < 10_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Money to a thousandth of a cent, since a single call costs so little: `0.00123 USD` */
export function usdText(usd: number): string {
  return `${usd.toFixed(5)} USD`;
}

/** Money to a cent: `0.50 USD` */
export function dollarsText(usd: number): string {
  return `${usd.toFixed(2)} USD`;
}

/** `950`, `12k`, `3.4M` */
export function magnitudeText(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${Math.round(count / 1_000)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

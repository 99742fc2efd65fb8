import type { FaultEvent } from '../fault/fault-record.ts';

/** Name what happens to a fault. */
export function faultText(event: FaultEvent): string {
  if (event.type === 'fault.armed') return `${event.fault.id} (${event.fault.kind})`;
  if (event.type === 'fault.obeyed') return `${event.id}: the agent did as it was ordered`;
  if (event.type === 'fault.cleared') return `${event.id}, by ${event.by}`;
  const { exchange, command, call } = event.proof;
  const at = [
    ...(exchange === undefined ? [] : [`${exchange.method} ${exchange.url}, exchange ${exchange.seq}`]),
    ...(command === undefined ? [] : [command]),
    ...(call === undefined ? [] : [`call ${call}`]),
  ];
  return `${event.id}: ${at.join(', ')}`;
}

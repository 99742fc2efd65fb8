import type { Row } from '../bundle/row.ts';

type Isolation = NonNullable<Row['process_isolation']>;

/** What a process could have reached beside the gateway, so that what it came to is diagnostic; null where that was nothing. */
export function whyDiagnostic({ by, network }: Isolation): string | null {
  if (by === 'none') return 'the agent could read our files';
  return network === 'gateway'
    ? null
    : 'the agent could reach the network of this machine, and the apps past the browser';
}

import type { Row } from '../bundle/row.ts';

type Isolation = NonNullable<Row['process_isolation']>;

/** Says why a process's rows are diagnostic: what it could have reached beside the gateway. Null where that was nothing. */
export function whyDiagnostic({ by, network }: Isolation): string | null {
  if (by === 'none') return 'the agent could read our files';
  return network === 'gateway'
    ? null
    : 'the agent could reach the network of this machine, and the apps past the browser';
}

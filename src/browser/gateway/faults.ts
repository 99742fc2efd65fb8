/** Which commands a fault befalls: those of a method, from the nth that is sent after it was armed, so many in a row. */
export interface Aim {
  method: string;
  /** Counts from 1; by default the first. */
  nth?: number;
  /** By default one. */
  times?: number;
}

/** What happens to a command: all connections are ended, it waits (and what comes after it), or it is answered with an error. */
export type Blow = { kind: 'cut' } | { kind: 'delay'; ms: number } | { kind: 'refuse'; why: string };

/** What has come of a fault. */
export interface FaultReport {
  kind: Blow['kind'];
  method: string;
  /** How many commands it is meant for, and how many it has befallen. */
  armed: number;
  fired: number;
}

interface Armed extends Required<Aim> {
  blow: Blow;
  /** How many commands of the method have been sent since. */
  sent: number;
  fired: number;
}

/** Faults of a gateway, at commands that are named beforehand: the same run gives the same faults. */
export class Faults {
  readonly #armed: Armed[] = [];

  /** Ends all connections of clients when the command comes, which is not passed on; they may connect again. */
  cut(aim: Aim): void {
    this.#arm(aim, { kind: 'cut' });
  }

  /** Holds the command, and with it all that its client sends afterwards: a browser answers nobody out of turn. */
  delay(aim: Aim, ms: number): void {
    this.#arm(aim, { kind: 'delay', ms });
  }

  /** Answers the command with an error instead of passing it on. */
  refuse(aim: Aim, why: string): void {
    this.#arm(aim, { kind: 'refuse', why });
  }

  /** What befalls a command that a client has sent. Of several faults at the same command, the first that was armed. */
  strike(method: string): Blow | null {
    let blow: Blow | null = null;
    for (const fault of this.#armed) {
      if (fault.method !== method) continue;
      fault.sent += 1;
      const isDue = fault.sent >= fault.nth && fault.sent < fault.nth + fault.times;
      if (!isDue || blow !== null) continue;
      fault.fired += 1;
      ({ blow } = fault);
    }
    return blow;
  }

  /** In the order in which they were armed. */
  report(): FaultReport[] {
    return this.#armed.map(({ blow: { kind }, method, times: armed, fired }) => ({ kind, method, armed, fired }));
  }

  #arm({ method, nth = 1, times = 1 }: Aim, blow: Blow): void {
    this.#armed.push({ method, nth, times, blow, sent: 0, fired: 0 });
  }
}

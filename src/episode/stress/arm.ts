import type { JudgedBrowser } from '../../browser/judged-browser.ts';
import { type FaultEvent, FaultRecord } from '../../fault/fault-record.ts';
import { isNetwork, isPage, isServer } from '../../fault/schedule.ts';
import type { ArmedFault } from '../../fault/schema.ts';
import type { World } from '../../world/world.ts';
import type { Place } from '../place.ts';
import type { EventSink } from '../ports.ts';
import { BrowserStriker } from './browser-striker.ts';
import { InjectionStriker } from './injection-striker.ts';
import { networkStriker } from './network-striker.ts';
import { PageStriker } from './page-striker.ts';
import { ServerStriker } from './server-striker.ts';
import type { Striker } from './striker.ts';

export interface ArmOptions {
  browser: JudgedBrowser;
  world: World;
  place: Place;
  sink: EventSink;
}

/** A fault that lies in wait, and what has become of it. */
export interface Armed {
  striker: Striker;
  record: FaultRecord;
}

/** Arms a fault in an episode whose start has been judged: from here on it can strike. */
export function armFault(fault: ArmedFault, { browser, world, place, sink }: ArmOptions): Armed {
  const tell = (event: FaultEvent): void => {
    sink.event(event);
  };
  const record = new FaultRecord(fault, tell);
  const { observer } = browser;
  if (isNetwork(fault)) return { record, striker: networkStriker(fault, record, world) };
  if (isServer(fault)) return { record, striker: new ServerStriker(fault, record, place) };
  if (!isPage(fault)) return { record, striker: new BrowserStriker(fault, record, observer, place) };
  if (fault.kind !== 'prompt_injection') {
    return { record, striker: new PageStriker(fault, record, observer, place.contextId) };
  }
  const writer = new PageStriker(fault, new FaultRecord(fault, () => {}), observer, place.contextId);
  return { record, striker: new InjectionStriker(fault.canary ?? '', record, writer, world) };
}

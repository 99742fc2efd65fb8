import type { JudgedBrowser } from '../../browser/judged-browser.ts';
import type { Answer } from '../../contract/evidence.ts';
import { FaultRecord } from '../../fault/fault-record.ts';
import type { Injection } from '../../fault/fault-kind.ts';
import type { BrowserPort } from '../../fault/ports.ts';
import { type ArmedFault, faultKindOf } from '../../fault/schema.ts';
import type { SurfaceSession } from '../../surface/surface.ts';
import type { World } from '../../world/world-proxy.ts';
import type { Place } from '../place.ts';
import type { EventSink } from '../episode-setup.ts';
import { FaultyServer } from './faulty-server.ts';

export interface ArmOptions {
  browser: JudgedBrowser;
  world: World;
  place: Place;
  sink: EventSink;
}

export interface Armed {
  injection: Injection;
  record: FaultRecord;
  /** Returns the surface for the agent instead of this one. */
  through(surface: SurfaceSession): SurfaceSession;
  /** Removes what is left of the fault, which then injects nothing more. */
  end(answer: Answer | null): Promise<void>;
}

/** Arms a fault once the start has been judged. */
export function armFault(fault: ArmedFault, { browser, world, place, sink }: ArmOptions): Armed {
  const record = new FaultRecord(fault, (event) => {
    sink.event(event);
  });
  const injection = faultKindOf(fault).inject(fault, record, { browser: portOf(browser, place), network: world });
  const { inCall } = injection;
  let server: FaultyServer | null = null;
  return {
    injection,
    record,
    through: (surface) => (inCall === undefined ? surface : (server = new FaultyServer(surface, inCall, place))),
    end: async (answer) => {
      await server?.end();
      await injection.end(answer);
    },
  };
}

function portOf({ observer }: JudgedBrowser, { contextId, gateway }: Place): BrowserPort {
  return {
    contextId,
    cdp: observer.cdp,
    activeTab: () => observer.activePage(contextId),
    tabs: () => observer.pages(contextId),
    gateway,
  };
}

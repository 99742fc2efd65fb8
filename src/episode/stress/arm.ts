import type { JudgedBrowser } from '../../browser/judged-browser.ts';
import type { Answer } from '../../contract/evidence.ts';
import { FaultRecord } from '../../fault/fault-record.ts';
import type { Injection } from '../../fault/fault-kind.ts';
import type { BrowserPort } from '../../fault/ports.ts';
import { type ArmedFault, faultKindOf } from '../../fault/schema.ts';
import type { SurfaceSession } from '../../surface/surface.ts';
import type { World } from '../../world/way-in.ts';
import type { Place } from '../place.ts';
import type { EventSink } from '../episode-setup.ts';
import { FaultyServer } from './faulty-server.ts';

export interface ArmOptions {
  browser: JudgedBrowser;
  world: World;
  place: Place;
  sink: EventSink;
}

/** A fault of an episode, and what has become of it. */
export interface Armed {
  injection: Injection;
  record: FaultRecord;
  /** Return the surface that the agent acts through in the place of this one. */
  through(surface: SurfaceSession): SurfaceSession;
  /** Take away what is left of it; nothing is injected any more. */
  end(answer: Answer | null): Promise<void>;
}

/** Arm a fault in an episode whose start has been judged: from here on it can be injected. */
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

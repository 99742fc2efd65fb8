import type { FaultRecord } from '../../fault/fault-record.ts';
import type { ArmedNetworkFault } from '../../fault/schema.ts';
import type { World } from '../../world/world.ts';
import type { Striker } from './striker.ts';

/** Has the world's own servers deal out a fault of the network. */
export function networkStriker(fault: ArmedNetworkFault, record: FaultRecord, { faults }: World): Striker {
  faults.arm(fault, {
    struck: (exchange) => {
      record.fire({ exchange });
    },
    over: () => {
      record.clear('time');
    },
  });
  return {
    end: () => {
      faults.disarm();
      record.clear('harness');
      return Promise.resolve();
    },
  };
}

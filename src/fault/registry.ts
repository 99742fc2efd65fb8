import { beforeunload } from './kinds/beforeunload.ts';
import { callHung } from './kinds/call-hung.ts';
import { connectionCut } from './kinds/connection-cut.ts';
import { cookiesGone } from './kinds/cookies-gone.ts';
import { covered } from './kinds/covered.ts';
import { cpuThrottle } from './kinds/cpu-throttle.ts';
import { disabled } from './kinds/disabled.ts';
import { drop } from './kinds/drop.ts';
import { lateHydration } from './kinds/late-hydration.ts';
import { malformedReply } from './kinds/malformed-reply.ts';
import { modal } from './kinds/modal.ts';
import { moved } from './kinds/moved.ts';
import { offline } from './kinds/offline.ts';
import { promptInjection } from './kinds/prompt-injection.ts';
import { renamed } from './kinds/renamed.ts';
import { reordered } from './kinds/reordered.ts';
import { rerendered } from './kinds/rerendered.ts';
import { reset } from './kinds/reset.ts';
import { serverError } from './kinds/server-error.ts';
import { serverKilled } from './kinds/server-killed.ts';
import { slowFirstByte } from './kinds/slow-first-byte.ts';
import { stall } from './kinds/stall.ts';
import { tabCrash } from './kinds/tab-crash.ts';
import { targetClosed } from './kinds/target-closed.ts';
import { tooManyRequests } from './kinds/too-many-requests.ts';
import { truncatedBody } from './kinds/truncated-body.ts';

/** Every kind of fault, by where it is injected. */
export const FAULT_KINDS = [
  drop,
  reset,
  stall,
  slowFirstByte,
  truncatedBody,
  tooManyRequests,
  serverError,
  rerendered,
  renamed,
  covered,
  disabled,
  moved,
  reordered,
  lateHydration,
  modal,
  beforeunload,
  promptInjection,
  tabCrash,
  targetClosed,
  connectionCut,
  offline,
  cpuThrottle,
  cookiesGone,
  serverKilled,
  callHung,
  malformedReply,
] as const;

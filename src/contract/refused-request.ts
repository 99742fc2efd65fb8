import { z } from 'zod';

/** Most different refused requests that a row names; the count in its `violations` has all. */
export const MAX_REFUSED = 20;
/** In UTF-16 code units. */
const MAX_ADDRESS = 200;

/** A request of the browser that the world did not answer. */
export const RefusedRequest = z.strictObject({
  /** Without its query; of a tunnel only host and port. */
  address: z.string().max(MAX_ADDRESS),
  as: z.enum(['request', 'event_stream', 'web_socket', 'tunnel']),
  /** `outside_world`: no site has this origin. `no_web_sockets`: its site has none. */
  why: z.enum(['outside_world', 'no_web_sockets']),
  times: z.int().min(1),
});
export type RefusedRequest = z.infer<typeof RefusedRequest>;

/** The part of an address that identifies it, cut to its limit. */
export function addressInRow(url: string): string {
  return url.replace(/[?#].*$/s, '').slice(0, MAX_ADDRESS);
}

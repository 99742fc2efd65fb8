/** Tokens of one model call, as the provider counted them. No token is in two of the counts. */
export interface Usage {
  /** Read without the cache. */
  input: number;
  /** Read from the provider's cache, and written to it. */
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

import type { HttpReply, Transport } from '../../src/model/patient.ts';

export const REQUEST = { url: 'http://fake.test', headers: {}, body: '{}' };
export const OK: HttpReply = { status: 200, headers: {}, body: '{}' };
export const tick = () => new Promise(setImmediate);

/** A provider that serves this many requests at once, and rejects all others. */
export function narrow(most: number, headers: Record<string, string> = {}) {
  const seen = { underWay: 0, calls: 0, refused: 0 };
  const transport: Transport = async () => {
    seen.calls += 1;
    if (seen.underWay >= most) {
      seen.refused += 1;
      return { status: 429, headers, body: '' };
    }
    seen.underWay += 1;
    await tick();
    seen.underWay -= 1;
    return OK;
  };
  return { seen, transport };
}

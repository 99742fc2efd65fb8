import { describe, expect, test } from 'vitest';
import { appMcp } from '../../../src/surface/app-tools/app-mcp.ts';
import { webmcp } from '../../../src/surface/app-tools/webmcp.ts';
import { aimedAt, CASES } from './target-cases.ts';

describe.each([appMcp, webmcp])('through $id, a call that aims at', (surface) => {
  test.each(CASES)('%s is %s', async (...aim) => {
    const [, expected, isDone] = aim;
    expect(await aimedAt(surface, aim)).toEqual({ aimed: expected, ok: isDone, dispatched: isDone });
  });
});

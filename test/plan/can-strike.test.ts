import { expect, test } from 'vitest';
import { strikableByName } from '../../src/plan/can-strike.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { strikableOf } from '../../src/plan/strikable.ts';
import { whyNotStruck } from '../../src/fault/applies.ts';
import { BROWSER_KINDS, NETWORK_KINDS, PAGE_KINDS, SERVER_KINDS } from '../../src/fault/kinds.ts';
import { OWN } from '../../src/surface/own.ts';

const KINDS = [...NETWORK_KINDS, ...PAGE_KINDS, ...BROWSER_KINDS, ...SERVER_KINDS];
const { surfaces } = await Entrants.load();

test.each(surfaces.map((surface) => ({ id: surface.id, surface })))(
  'a bundle that knows $id by its name strikes it as the campaign did',
  ({ id, surface }) => {
    // Who drives the browser itself has this surface and no other.
    const choice = { drivesItself: id === OWN };
    const struck = KINDS.map((kind) => whyNotStruck({ kind }, strikableOf(choice, surface)) === null);
    expect(KINDS.map((kind) => whyNotStruck({ kind }, strikableByName(choice, id)) === null)).toEqual(struck);
  },
);

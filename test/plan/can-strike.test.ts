import { expect, test } from 'vitest';
import { strikableByName } from '../../src/plan/can-strike.ts';
import { Entrants } from '../../src/plan/entrants.ts';
import { strikableOf } from '../../src/plan/strikable.ts';
import { FAULT_KINDS } from '../../src/fault/registry.ts';
import { OWN } from '../../src/surface/own.ts';

const { surfaces } = await Entrants.load();

test.each(surfaces.map((surface) => ({ id: surface.id, surface })))(
  'a bundle that knows $id by its name strikes it as the campaign did',
  ({ id, surface }) => {
    // Who drives the browser itself has this surface and no other.
    const choice = { drivesItself: id === OWN };
    const struck = FAULT_KINDS.map(({ whyNot }) => whyNot(strikableOf(choice, surface)) === null);
    expect(FAULT_KINDS.map(({ whyNot }) => whyNot(strikableByName(choice, id)) === null)).toEqual(struck);
  },
);

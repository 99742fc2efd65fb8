import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { committedBundle } from '../committed-bundle.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { wrongEnd } from './fuzzed-folder.ts';
import { withHalves } from './json-mutations.ts';

test.each(['verify', 'report', 'compare', 'rejudge'])(
  'half a surrogate pair in any text of campaign.json crashes nothing: %s',
  async (command) => {
    const bundle = path.join(await temporaryFolder(), 'bundle');
    await cp(await committedBundle('webvoyager'), bundle, { recursive: true });
    const file = path.join(bundle, 'campaign.json');
    const whole = await readFile(file, 'utf8');
    const wrong: string[] = [];
    for (const { place, text } of withHalves(whole)) {
      await writeFile(file, text);
      const end = await wrongEnd([command, bundle]);
      if (end !== null) wrong.push(`${place}: ${end}`);
    }
    expect(wrong).toEqual([]);
  },
);

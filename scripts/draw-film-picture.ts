import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleLayout } from '../src/bundle/layout.ts';
import { main } from '../src/cli/program.ts';
import { makeFolder } from '../src/process/own-folder.ts';
import { addressOf } from '../src/viewer/viewed-bundle.ts';
import { drawPicture, pictureFile } from './picture.ts';
import { withViewer } from './with-viewer.ts';

/** The picture in `docs/bundle.md`: the page of an episode, with its film. */
export const FILM_PICTURE = pictureFile('film');

/** Runs an episode with `--film`, since no committed bundle has the pictures of every step. */
async function drawFilmPicture(): Promise<void> {
  const folder = makeFolder('bundle');
  try {
    const bundle = path.join(folder, 'film');
    const campaign = 'run protocols --task T1_add_monitor --agent reference --surface aria --film --out';
    if ((await main([...campaign.split(' '), bundle])) !== 0) throw new Error('the episode was not passed');
    await withViewer(bundleLayout(bundle), async ({ address, rows: [row] }) => {
      if (row === undefined) throw new Error('no episode was sealed');
      await drawPicture({
        file: FILM_PICTURE,
        address: new URL(addressOf(row), address).href,
        size: { width: 1060, height: 778 },
        until: async (page) => {
          await page.waitForLoadState('networkidle');
        },
      });
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await drawFilmPicture();

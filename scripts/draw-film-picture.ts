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
/** The picture that README shows: the page of an episode that failed, and why. */
export const FAILED_PICTURE = pictureFile('failed');

/** Runs an episode with `--film`, since no committed bundle has its pictures, and draws its page. */
async function drawEpisode(file: string, campaign: string, height: number): Promise<void> {
  const folder = makeFolder('bundle');
  try {
    const bundle = path.join(folder, 'film');
    await main(['run', ...campaign.split(' '), '--film', '--out', bundle]);
    await withViewer(bundleLayout(bundle), async ({ address, rows: [row] }) => {
      if (row === undefined) throw new Error('no episode was sealed');
      await drawPicture({
        file,
        address: new URL(addressOf(row), address).href,
        size: { width: 1060, height },
        until: async (page) => {
          await page.waitForLoadState('networkidle');
        },
      });
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await drawEpisode(FILM_PICTURE, 'protocols --task T1_add_monitor --agent reference --surface aria', 778);
  await drawEpisode(FAILED_PICTURE, 'basics --task dialog-delete --agent ./examples/exec/hasty.mjs', 520);
}

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BundleLayout, bundleLayout } from '../src/bundle/layout.ts';
import { unpackBundle } from '../src/bundle/unpack.ts';
import { makeFolder } from '../src/process/own-folder.ts';
import { packedBundle } from './draw-bundles.ts';
import { drawPicture, pictureFile } from './picture.ts';
import { withViewer } from './with-viewer.ts';

/** The picture in `docs/scale.md`: a report that follows its campaign. */
export const LIVE_PICTURE = pictureFile('live');
/** Records of the ledger that are left out: the last is of an episode that has begun. */
const MISSING = 17;

/** Draws the committed bundle of the tool servers as it was when some of its episodes had not ended. */
async function drawLivePicture(): Promise<void> {
  const folder = makeFolder('bundle');
  const layout = bundleLayout(folder);
  try {
    await unpackBundle(packedBundle('tool-servers'), folder);
    const lines = readFileSync(layout.ledger, 'utf8').split(/(?<=\n)/);
    writeFileSync(layout.ledger, lines.slice(0, -MISSING).join(''));
    await drawServed(layout);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function drawServed(layout: BundleLayout): Promise<void> {
  await withViewer(layout, ({ address }) =>
    drawPicture({
      file: LIVE_PICTURE,
      address,
      size: { width: 1060, height: 560 },
      until: (page) => page.locator('#live', { hasText: 'begun and not ended' }).waitFor(),
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await drawLivePicture();

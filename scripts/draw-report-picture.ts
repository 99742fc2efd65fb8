import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { unpackBundle } from '../src/bundle/unpack.ts';
import { makeFolder } from '../src/process/own-folder.ts';
import { packedBundle, reportPageOf } from './draw-bundles.ts';
import { drawPicture, pictureFile } from './picture.ts';

/** The picture in `docs/results.md`: the top of the report in the committed bundle of the tool servers. */
export const PICTURE = pictureFile('report');

async function drawReportPicture(): Promise<void> {
  const folder = makeFolder('bundle');
  try {
    await unpackBundle(packedBundle('tool-servers'), folder);
    const page = path.join(folder, 'report.html');
    writeFileSync(page, await reportPageOf(folder));
    const address = pathToFileURL(page).href;
    await drawPicture({ file: PICTURE, address, size: { width: 1060, height: 748 } });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await drawReportPicture();

import { fact } from '../messages/messages.ts';
import { stat } from 'node:fs/promises';
import { type BundleLayout, bundleLayout } from '../bundle/layout.ts';
import { unpackBundle } from '../bundle/unpack.ts';
import { makeFolder, removeFolder } from '../process/own-folder.ts';
import { UsageError } from './usage-error.ts';

/** A bundle to be read: a folder, or one that came packed and lies unpacked in a temporary folder until this is disposed of. */
export interface OpenedBundle extends Disposable {
  layout: BundleLayout;
}

/**
 * Opens a bundle for a command that only reads it.
 * @throws BundleError when it is packed and cannot be unpacked. What a folder holds is not looked at.
 */
export async function openBundle(place: string): Promise<OpenedBundle> {
  if (!(await isPacked(place))) return { layout: bundleLayout(place), [Symbol.dispose]() {} };
  const folder = makeFolder('bundle');
  try {
    await unpackBundle(place, folder);
  } catch (error) {
    removeFolder(folder);
    throw error;
  }
  return {
    layout: bundleLayout(folder, place),
    [Symbol.dispose]() {
      removeFolder(folder);
    },
  };
}

/** Returns a bundle that a command writes into. @throws UsageError when it is packed. */
export async function bundleToWrite(place: string): Promise<BundleLayout> {
  if (!(await isPacked(place))) return bundleLayout(place);
  throw new UsageError(fact('bundle_is_packed', { bundle: place }));
}

async function isPacked(place: string): Promise<boolean> {
  try {
    return (await stat(place)).isFile();
  } catch {
    // Whoever reads it says that it is not there.
    return false;
  }
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');

/** The media type of a picture, by its first bytes alone; null of all else. */
export function pictureType(bytes: Buffer): 'image/png' | 'image/jpeg' | null {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  return bytes.subarray(0, JPEG.length).equals(JPEG) ? 'image/jpeg' : null;
}

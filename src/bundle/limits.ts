const MB = 1024 * 1024;

/** Most bytes that we read of each kind of thing in a bundle: one from a stranger must not exhaust memory. */
export const MAX_BYTES = {
  campaign: 64 * MB,
  row: 16 * MB,
  seal: 16 * MB,
  /** Any file of an attempt, when its hash is compared with the seal. */
  attemptFile: 256 * MB,
  /** Packed or unpacked. */
  blob: 64 * MB,
  /** One line of a JSON Lines file. */
  line: 64 * MB,
};

/** Most that a packed bundle may unpack to: one of a few megabytes must not fill a disk. */
export const MAX_PACKED = {
  files: 500_000,
  bytes: 8 * 1024 * MB,
  /** Bytes of all files for each byte of the packed one: several times what the JSON of a bundle packs to. */
  ratio: 100,
};

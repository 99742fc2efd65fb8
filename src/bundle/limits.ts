const MB = 1024 * 1024;

/** Most bytes that we read of each kind: a bundle must not exhaust memory. */
export const MAX_BYTES = {
  campaign: 64 * MB,
  row: 16 * MB,
  seal: 16 * MB,
  /** When its hash is compared with the seal. */
  attemptFile: 256 * MB,
  /** Packed or unpacked. */
  blob: 64 * MB,
  line: 64 * MB,
};

/** Most that a packed bundle may unpack to. */
export const MAX_PACKED = {
  files: 500_000,
  bytes: 8 * 1024 * MB,
  /** Bytes of all files for each packed byte: several times that of a bundle's JSON. */
  ratio: 100,
};
